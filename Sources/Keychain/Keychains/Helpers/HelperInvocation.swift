internal import LanyardConfiguration
public import LanyardPrompting
internal import Glibc
public import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// Describes how a protocol helper was called: `NAME [--keychain KEYCHAIN] ARGUMENT…`.
public struct HelperInvocation: Sendable {
    /// The arguments after Lanyard's own options.
    let arguments: [String]
    /// The name after `--keychain`; nil without the option.
    let keychainFlag: String?

    /// The operation's name, for a helper whose only argument that is.
    public var operation: String { arguments.first ?? "" }

    /// The keychains to use, as one.
    public struct ChosenKeychain {
        /// Their names, for example `secret-service login`.
        public let names: String
        /// The keychain, opened on first use.
        public let keychain: Keychain
    }

    /// Returns the keychains to use: the one that the flag names, else those of the search list.
    ///
    /// - Parameters:
    ///   - accessGroups: The groups of the tool's items.
    ///   - milliseconds: The most that each keychain may take; nil for the usual limits.
    /// - Throws: ``Status/param`` for an unreadable configuration.
    public func chooseKeychain(
        accessGroups: AccessGroups, within milliseconds: Int64? = nil
    ) throws(KeychainError) -> ChosenKeychain {
        let store = try SearchListStore(
            flag: keychainFlag, configuration: Configuration().answering(within: milliseconds),
            isSilent: true)
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

    /// - Parameter name: The executable's name.
    /// - Throws: ``Status/param`` for a missing keychain.
    static func parse(_ arguments: [String], name: String) throws(KeychainError) -> Parsed {
        var rest = arguments[...]
        var flag: String?
        while let first = rest.first {
            switch first {
            case "--help", "-h": return .help
            case "--version", "-v": return .version
            case "--keychain":
                guard rest.count > 1 else {
                    throw wrongUsage("--keychain needs the name of a keychain", name)
                }
                flag = rest[rest.startIndex + 1]
                rest = rest.dropFirst(2)
            case _ where first.hasPrefix("--keychain="):
                flag = String(first.dropFirst("--keychain=".count))
                rest = rest.dropFirst()
            default: return .run(HelperInvocation(arguments: Array(rest), keychainFlag: flag))
            }
        }
        return .run(HelperInvocation(arguments: [], keychainFlag: flag))
    }

    /// - Throws: ``Status/param`` unless there is one argument, an operation.
    func checkOperation(name: String) throws(KeychainError) {
        guard let operation = arguments.first else {
            throw HelperInvocation.wrongUsage("missing operation", name)
        }
        guard !operation.hasPrefix("-") else {
            throw HelperInvocation.wrongUsage("unknown option '\(operation)'", name)
        }
        guard arguments.count == 1 else {
            throw HelperInvocation.wrongUsage("more than one operation", name)
        }
    }

    fileprivate static func wrongUsage(_ reason: String, _ name: String) -> KeychainError {
        // The programs that Lanyard itself starts are on no PATH.
        let isOnPath = (try? programPath(name)) ?? nil != nil
        let command = isOnPath ? name : Installation()?.neighbour(name) ?? name
        return KeychainError(.param, reason, hint: "\(command.shellWord) --help")
    }
}

/// Runs a helper whose only argument is an operation, and exits with 0, or reports an error and exits with 1.
///
/// - Parameters:
///   - name: The executable's name.
///   - help: What `--help` prints, without the final newline.
///   - report: Reports an error, on stderr unless the protocol has another place for it.
///   - body: Performs the operation.
public func runHelper(
    name: String, help: String,
    reporting report: (KeychainError) -> Void = printError,
    _ body: (HelperInvocation) throws(KeychainError) -> Void
) -> Never {
    let arguments = ProgramArguments.all()
    runHelper(name: name, arguments: arguments, help: help, reporting: report) {
        invocation throws(KeychainError) in
        try invocation.checkOperation(name: name)
        try body(invocation)
    }
}

/// Runs the helper of a tool, chosen by the name under which the program was started, and exits. By another name
/// the program only lists these.
///
/// - Parameters:
///   - tools: The tools.
///   - programs: The names of programs that Lanyard starts itself, which `--names` lists too.
///   - help: What `--help` prints if the program has no tool's name.
package func runToolHelper(
    among tools: [ToolFormat], besides programs: [String], name: String, help: String
) -> Never {
    let arguments = ProgramArguments.all()
    let started = ProgramArguments.name()
    let tool = tools.first { $0.helper == started || $0.furtherNames.contains(started) }
    guard let helper = tool?.protocolHelper else {
        runHelper(name: name, arguments: arguments, help: help) {
            invocation throws(KeychainError) in
            guard invocation.arguments == ["--names"] else {
                throw HelperInvocation.wrongUsage("no tool has a helper '\(started)'", name)
            }
            for helper in tools.map({ $0.helper }) + programs {
                try writeAnswer(Secret("\(helper)\n"))
            }
        }
    }
    runHelper(
        name: started, arguments: arguments, help: helper.help,
        reporting: { error in
            if !helper.isSilent(error) {
                printError(error)
            }
        }, exitStatus: helper.exitStatus,
        warnsOfKeychains: !helper.isErrorPartOfAnswer
    ) { invocation throws(KeychainError) in
        try helper.run(
            HelperProcess(
                name: started, invocation: invocation, accessGroups: helper.accessGroups))
    }
}

private func runHelper(
    name: String, arguments: [String], help: String,
    reporting report: (KeychainError) -> Void = printError,
    exitStatus: (KeychainError) -> Int32 = { _ in 1 }, warnsOfKeychains: Bool = true,
    _ body: (HelperInvocation) throws(KeychainError) -> Void
) -> Never {
    endInOneLineAtFaults(status: 1)
    BackgroundExchange.leaveToProgram()
    do throws(KeychainError) {
        try hardenProcess()
        SQLiteMemory.serveOneThread()
        switch try HelperInvocation.parse(Array(arguments.dropFirst()), name: name) {
        case .help: try writeAnswer(Secret("\(help)\n"))
        case .version: try writeAnswer(Secret("\(name) \(lanyardVersion)\n"))
        case .run(let invocation): try body(invocation)
        }
    } catch {
        BackgroundExchange.start()
        SkippedKeychainReport.warn(endingWith: error)
        report(error.named(by: arguments))
        _exit(exitStatus(error))
    }
    BackgroundExchange.start()
    if warnsOfKeychains {
        SkippedKeychainReport.warn()
    }
    // Nothing is left to flush, and an orderly exit takes time.
    _exit(0)
}
