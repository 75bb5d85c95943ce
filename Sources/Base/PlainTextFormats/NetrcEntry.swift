/// The positions of the parts of an entry in .netrc.
package struct NetrcEntry {
    package enum Kind {
        case machine(NetrcToken)
        case `default`
        case macro
    }

    package let kind: Kind
    /// The line that it starts on, from 1 on.
    package let line: Int
    /// The values after `login`.
    package internal(set) var logins: [NetrcToken] = []
    /// The values after `password`.
    package internal(set) var passwords: [NetrcToken] = []
    package internal(set) var hasAccount = false
    /// Whether it has words that are none of the format's.
    package internal(set) var hasOtherWords = false
    /// The range to remove with the entry.
    package internal(set) var range: Range<Int>

    /// Whether it has more than a name.
    var saysSomething: Bool {
        if case .macro = kind {
            return true
        }
        return !logins.isEmpty || !passwords.isEmpty || hasAccount
    }
}
