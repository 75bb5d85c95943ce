internal import Configuration
public import Prompting
internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// How a protocol helper was called: `NAME [--keychain KEYCHAIN] OPERATION`.
public struct HelperInvocation: Sendable {
    /// The operation's name, or whatever else the helper takes.
    public let operation: String
    /// The name after `--keychain`, nil if there is none.
    let keychainFlag: String?

    /// The keychains to use, as one.
    public struct ChosenKeychain {
        /// Their names, for example `secret-service login`.
        public let names: String
        /// The keychain, opened when something is asked of it.
        public let keychain: Keychain
    }

    /// The keychains to use: the one that the flag names, else those of the search list.
    ///
    /// - Parameter accessGroup: The group of new items.
    /// - Throws: ``Status/param`` for a configuration that can't be read.
    public func chooseKeychain(
        accessGroup: ByteString
    ) throws(KeychainError) -> ChosenKeychain {
        let store = try SearchListStore(
            flag: keychainFlag, configuration: Configuration(), isSilent: true)
        return ChosenKeychain(
            names: joined(store.names), keychain: try store.keychain(accessGroup: accessGroup))
    }

    /// The library's own way takes a search through all conformances when it is first used.
    private func joined(_ names: [String]) -> String {
        var joined = names.first ?? ""
        for name in names.dropFirst() {
            joined += " "
            joined += name
        }
        return joined
    }

    /// What to do with these arguments.
    enum Parsed {
        case run(HelperInvocation)
        case help
        case version
    }

    /// - Parameters:
    ///   - name: The executable's name.
    ///   - argument: What its one argument is called.
    /// - Throws: ``Status/param`` for a call that is not in its form.
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
            throw wrongUsage("no \(argument) is given")
        }
        guard rest.isEmpty else {
            throw wrongUsage("there is more than one \(argument)")
        }
        return .run(HelperInvocation(operation: operation, keychainFlag: flag))
    }
}

/// Runs a protocol helper and ends the process: with 0, or with 1 and an error told.
///
/// - Parameters:
///   - name: The executable's name.
///   - argument: What its one argument is called.
///   - help: What `--help` prints, without the final newline.
///   - report: Tells an error, on stderr if the protocol has no other place for it.
///   - body: Does the operation.
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
    // Nothing is left to be flushed, and taking the process down in order costs time.
    _exit(0)
}
