/// An entry of .netrc, by the places of its parts.
struct NetrcEntry {
    enum Kind {
        case machine(NetrcToken)
        case `default`
        case macro
    }

    let kind: Kind
    /// Where it begins, from 1 on.
    let line: Int
    var login: NetrcToken?
    var password: NetrcToken?
    var hasAccount = false
    var hasSeveralLogins = false
    /// What goes when the entry is removed.
    var range: Range<Int>

    mutating func take(login value: NetrcToken) {
        hasSeveralLogins = hasSeveralLogins || login != nil
        login = value
    }

    mutating func take(password value: NetrcToken) {
        hasSeveralLogins = hasSeveralLogins || password != nil
        password = value
    }

    /// Whether there is more of it than a name.
    var saysSomething: Bool {
        if case .macro = kind {
            return true
        }
        return login != nil || password != nil || hasAccount
    }
}
