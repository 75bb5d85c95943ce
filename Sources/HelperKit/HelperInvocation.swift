internal import Glibc
public import Keychain

/// How a protocol helper was called: `NAME [--keychain KEYCHAIN] OPERATION`.
public struct HelperInvocation: Sendable {
    /// The operation's name.
    public let operation: String
    /// The keychain's name: the flag's, else LANYARD_KEYCHAIN's, else `login`.
    public let keychainName: String

    /// What to do with these arguments.
    enum Parsed {
        case run(HelperInvocation)
        case help
        case version
    }

    /// - Parameter name: The executable's name.
    /// - Throws: ``Status/param`` for a call that is not in its form.
    static func parse(
        _ arguments: [String], name: String
    ) throws(KeychainError) -> Parsed {
        func wrongUsage(_ reason: String) -> KeychainError {
            KeychainError(.param, reason, hint: "\(name) --help")
        }
        var rest = arguments[...]
        var flag: String?
        while let first = rest.first, first.hasPrefix("-") {
            rest.removeFirst()
            switch first {
            case "--help", "-h": return .help
            case "--version", "-v": return .version
            case "--keychain":
                guard let name = rest.popFirst() else {
                    throw wrongUsage("--keychain takes the name of a keychain")
                }
                flag = name
            default:
                if first.hasPrefix("--keychain=") {
                    flag = String(first.dropFirst("--keychain=".count))
                } else {
                    throw wrongUsage("there is no option '\(first)'")
                }
            }
        }
        guard let operation = rest.popFirst() else {
            throw wrongUsage("no operation is given")
        }
        guard rest.isEmpty else {
            throw wrongUsage("there is more than one operation")
        }
        let configured = try Environment.value("LANYARD_KEYCHAIN")
        return .run(
            HelperInvocation(
                operation: operation,
                keychainName: flag ?? configured ?? DeferredStore.defaultName))
    }
}

/// Runs a protocol helper and ends the process: with 0, or with 1 and an error told.
///
/// - Parameters:
///   - name: The executable's name.
///   - help: What `--help` prints, without the final newline.
///   - report: Tells an error, on stderr if the protocol has no other place for it.
///   - body: Does the operation.
public func runHelper(
    name: String, help: String, reporting report: (KeychainError) -> Void = printError,
    _ body: (HelperInvocation) throws(KeychainError) -> Void
) -> Never {
    do throws(KeychainError) {
        try ProcessHardening.apply()
        switch try HelperInvocation.parse(
            Array(CommandLine.arguments.dropFirst()), name: name)
        {
        case .help: try writeAnswer(Secret("\(help)\n"))
        case .version: try writeAnswer(Secret("\(name) \(version)\n"))
        case .run(let invocation): try body(invocation)
        }
    } catch {
        report(error)
        _exit(1)
    }
    // Nothing is left to be flushed, and taking the process down in order costs time.
    _exit(0)
}
