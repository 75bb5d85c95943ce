internal import Configuration
public import Prompting
internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// Describes how a protocol helper was called: `NAME [--keychain KEYCHAIN] OPERATION`.
public struct HelperInvocation: Sendable {
    /// The operation's name, or whatever other argument the helper takes.
    public let operation: String
    /// The name after `--keychain`; nil without the option.
    let keychainFlag: String?

    /// The keychains to use, as one.
    public struct ChosenKeychain {
        /// Their names, for example `secret-service login`.
        public let names: String
        /// The keychain, opened on first use.
        public let keychain: Keychain
    }

    /// Returns the keychains to use: the one that the flag names, else those of the search list.
    ///
    /// - Parameter accessGroups: The groups of the tool's items.
    /// - Throws: ``Status/param`` for an unreadable configuration.
    public func chooseKeychain(
        accessGroups: AccessGroups
    ) throws(KeychainError) -> ChosenKeychain {
        let store = try SearchListStore(
            flag: keychainFlag, configuration: Configuration(), isSilent: true)
        return ChosenKeychain(
            names: joined(store.names), keychain: try store.keychain(accessGroups: accessGroups))
    }

    /// Joins names by hand: the library's own function searches all conformances on first use.
    private func joined(_ names: [String]) -> String {
        var joined = names.first ?? ""
        for name in names.dropFirst() {
            joined += " "
            joined += name
        }
        return joined
    }

    /// The meaning of the arguments.
    enum Parsed {
        case run(HelperInvocation)
        case help
        case version
    }

    /// - Parameters:
    ///   - name: The executable's name.
    ///   - argument: The name of its one argument.
    /// - Throws: ``Status/param`` for invalid arguments.
    static func parse(
        _ arguments: [String], name: String, argument: String = "operation"
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
                    throw wrongUsage("--keychain needs the name of a keychain")
                }
                flag = name
            default:
                if first.hasPrefix("--keychain=") {
                    flag = String(first.dropFirst("--keychain=".count))
                } else {
                    throw wrongUsage("unknown option '\(first)'")
                }
            }
        }
        guard let operation = rest.popFirst() else {
            throw wrongUsage("missing \(argument)")
        }
        guard rest.isEmpty else {
            throw wrongUsage("more than one \(argument)")
        }
        return .run(HelperInvocation(operation: operation, keychainFlag: flag))
    }
}

/// Runs a protocol helper and exits with 0, or reports an error and exits with 1.
///
/// - Parameters:
///   - name: The executable's name.
///   - argument: The name of its one argument.
///   - help: What `--help` prints, without the final newline.
///   - report: Reports an error, on stderr unless the protocol has another place for it.
///   - body: Performs the operation.
public func runHelper(
    name: String, argument: String = "operation", help: String,
    reporting report: (KeychainError) -> Void = printError,
    _ body: (HelperInvocation) throws(KeychainError) -> Void
) -> Never {
    let arguments = ProgramArguments.all()
    endInOneLineWithoutMemory(status: 1)
    do throws(KeychainError) {
        try hardenProcess()
        switch try HelperInvocation.parse(
            Array(arguments.dropFirst()), name: name, argument: argument)
        {
        case .help: try writeAnswer(Secret("\(help)\n"))
        case .version: try writeAnswer(Secret("\(name) \(version)\n"))
        case .run(let invocation): try body(invocation)
        }
    } catch {
        SkippedKeychainReport.warn(endingWith: error)
        report(error.named(by: arguments))
        _exit(1)
    }
    SkippedKeychainReport.warn()
    // Nothing is left to flush, and an orderly exit takes time.
    _exit(0)
}
