internal import KeychainServices

/// How the program was called.
enum AgentInvocation: Hashable {
    case help
    case version
    /// To serve clients.
    case serve(socket: String?, keychain: String?)
    /// To do a piece of work for the process that started this one.
    case work(keychain: String?)

    /// The argument by which the agent starts itself for a piece of work.
    static let workArgument = "--work"

    /// Parses arguments.
    ///
    /// - Throws: ``Status/param``.
    init(_ arguments: [String]) throws(KeychainError) {
        var rest = arguments[...]
        var socket: String?
        var keychain: String?
        let isWork = rest.first == AgentInvocation.workArgument
        if isWork {
            rest.removeFirst()
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--version", "-v":
                self = .version
                return
            default: break
            }
            let (name, joined) = AgentInvocation.split(argument)
            switch name {
            case "--socket" where !isWork:
                socket = try AgentInvocation.value(of: name, joined, &rest)
            case "--keychain":
                keychain = try AgentInvocation.value(of: name, joined, &rest)
            default: throw AgentInvocation.wrongUsage("unknown argument '\(argument)'")
            }
        }
        self = isWork ? .work(keychain: keychain) : .serve(socket: socket, keychain: keychain)
    }

    /// Splits `--name=value`.
    private static func split(_ argument: String) -> (name: String, value: String?) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    }

    private static func value(
        of name: String, _ joined: String?, _ rest: inout ArraySlice<String>
    ) throws(KeychainError) -> String {
        guard let value = joined ?? rest.popFirst(), !value.isEmpty else {
            throw wrongUsage("\(name) needs a value")
        }
        return value
    }

    private static func wrongUsage(_ reason: String) -> KeychainError {
        KeychainError(.param, reason, hint: "lanyard-ssh-agent --help")
    }
}
