/// The positions of the parts of an entry in .netrc.
struct NetrcEntry {
    enum Kind {
        case machine(NetrcToken)
        case `default`
        case macro
    }

    let kind: Kind
    /// The line that it starts on, from 1 on.
    let line: Int
    var login: NetrcToken?
    var password: NetrcToken?
    var hasAccount = false
    var hasSeveralLogins = false
    /// The range to remove with the entry.
    var range: Range<Int>

    mutating func take(login value: NetrcToken) {
        hasSeveralLogins = hasSeveralLogins || login != nil
        login = value
    }

    mutating func take(password value: NetrcToken) {
        hasSeveralLogins = hasSeveralLogins || password != nil
        password = value
    }

    /// Whether it has more than a name.
    var saysSomething: Bool {
        if case .macro = kind {
            return true
        }
        return login != nil || password != nil || hasAccount
    }
}
