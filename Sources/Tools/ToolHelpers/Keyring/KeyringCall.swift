internal import KeychainServices

/// A call of the program `keyring`: an operation, and options before, between or after its arguments.
struct KeyringCall: Equatable {
    let operation: Operation
    let service: ByteString
    /// Nil for any account.
    let account: ByteString?
    let mode: Mode
    let output: Output

    enum Operation: String {
        case get
        case set
        case del
    }

    /// What `get` prints: only the password, or the account, too.
    enum Mode: String {
        case password
        case creds
    }

    /// How `get` prints it.
    enum Output: String {
        case plain
        case json
    }

    /// Reads the arguments of a session.
    ///
    /// - Throws: ``Status/param`` for invalid ones.
    init(_ session: any HelperSession) throws(KeychainError) {
        var mode = Mode.password
        var output = Output.plain
        var words: [String] = []
        var rest = session.arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("-") else {
                words.append(argument)
                continue
            }
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() ?? ""
            switch parts[0] {
            case "--mode":
                guard let given = Mode(rawValue: value) else {
                    throw session.wrongUsage("--mode is password or creds")
                }
                mode = given
            case "--output":
                guard let given = Output(rawValue: value) else {
                    throw session.wrongUsage("--output is plain or json")
                }
                output = given
            default: throw session.wrongUsage("unknown option '\(parts[0])'")
            }
        }
        guard let operation = words.first.flatMap({ Operation(rawValue: $0) }) else {
            throw session.wrongUsage("missing operation: get, set or del")
        }
        guard (2...3).contains(words.count), !words[1].isEmpty else {
            throw session.wrongUsage("\(operation.rawValue) needs a service and an account")
        }
        var account = words.count > 2 ? ByteString(words[2]) : nil
        if operation == .get, mode == .creds {
            account = account == "" ? nil : account
        } else if account == nil {
            throw session.wrongUsage("missing account")
        }
        self.operation = operation
        service = ByteString(words[1])
        self.account = account
        self.mode = mode
        self.output = output
    }
}
