internal import ArgumentParser
internal import Glibc
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import LinuxSystem

/// The command `lanyard`.
struct LanyardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lanyard",
        abstract: "Store logins in one encrypted keychain.",
        version: "lanyard \(lanyardVersion)",
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday",
                subcommands: [
                    SetCommand.self, GetCommand.self, ListCommand.self, RemoveCommand.self,
                    FindCommand.self, RenameCommand.self, EditCommand.self,
                    GenerateCommand.self, CodeCommand.self, RunCommand.self, ExecCommand.self,
                    InjectCommand.self,
                ]),
            CommandGroup(
                name: "Setup",
                subcommands: [
                    SetupCommand.self, ProfileCommand.self, DoctorCommand.self, ScanCommand.self,
                    ImportCommand.self,
                    ExportCommand.self,
                ]),
            CommandGroup(
                name: "Certificates",
                subcommands: [
                    CertificateCommand.self, IdentityCommand.self, KeyCommand.self,
                ]),
            CommandGroup(
                name: "Locking",
                subcommands: [
                    StatusCommand.self, UnlockCommand.self, LockCommand.self,
                    PassphraseCommand.self, RecoveryKeyCommand.self,
                    MachineKeyCommand.self, PresenceCommand.self,
                ]),
            CommandGroup(
                name: "Sharing",
                subcommands: [
                    TeamCommand.self, HistoryCommand.self, RestoreVersionCommand.self,
                ]),
            CommandGroup(
                name: "Other",
                subcommands: [
                    BackupCommand.self, RestoreCommand.self, VerifyCommand.self,
                    WatchCommand.self, LogCommand.self, KeychainCommand.self, ConfigCommand.self,
                    SecretServiceCommand.self, VersionCommand.self,
                ]),
        ]
    ).examples(
        "lanyard setup             # let git and docker use it",
        "lanyard set backup        # store a secret, typed at the terminal",
        "lanyard get backup        # print it",
        "lanyard list              # see what is stored",
        "lanyard remove backup     # remove it",
        "lanyard doctor            # find out why a tool asks again")
}

/// Runs `lanyard` with the process's arguments and exits: with 0, with an error's OSStatus modulo 256, or
/// with 64 for errSecParam.
public func runLanyard() -> Never {
    CompletionRequest.prepare()
    endInOneLineAtFaults(status: exitStatus(KeychainError(.allocate)))
    BackgroundExchange.leaveToProgram()
    do {
        try hardenProcess()
        checkArguments()
        let arguments = Array(CommandLine.arguments.dropFirst())
        // `-V` is not an option of the parser: after a command, it would count as `lanyard`'s own. For the other, the parser
        // would make the help of all commands.
        if [["-V"], ["--version"]].contains(arguments) {
            try show([LanyardCommand.configuration.version])
            endLanyard()
        }
        if arguments.first == "help" {
            try showManual(of: Array(arguments.dropFirst()))
        }
        var command = try LanyardCommand.command(given: arguments)
        try command.run()
        endLanyard()
    } catch {
        endLanyard(error)
    }
}

/// Shows the man page of a command instead of its help, if possible, and exits if there is no such command.
private func showManual(of words: [String]) throws(KeychainError) {
    if let unknown = UnknownCommand(words) {
        printError(unknown.error)
        _exit(exitStatus(unknown.error))
    }
    try ManualPage(ofCommand: words)?.show()
}

/// Exits after a successful command.
func endLanyard() -> Never {
    TeamKeychain.warnOfChangesThatStay()
    BackgroundExchange.start()
    warnOfUnusableKeychains()
    _exit(0)
}

/// Exits after an error.
///
/// - Parameter status: The exit status; nil for that of the error.
func endLanyard(_ error: any Error, status: Int32? = nil) -> Never {
    BackgroundExchange.start()
    if let error = error as? KeychainError {
        endIfReaderIsGone(error)
        let error = completedByUnusableKeychains(error)
        warnOfUnusableKeychains(endingWith: error)
        printError(
            error.named(by: CommandLine.arguments)
                .withoutCircularHint(after: CommandLine.arguments))
        _exit(status ?? exitStatus(error))
    }
    endParsing(error)
}

private func exitStatus(_ error: KeychainError) -> Int32 {
    // EX_USAGE of sysexits(3), whether the parser or a command finds the mistake.
    guard error.status != .param else {
        return 64
    }
    // An exit status is a byte; the number is taken modulo 256, as in macOS's `security`.
    let status = UInt8(truncatingIfNeeded: error.status.rawValue)
    // A plugin may have a status of its own.
    return status == 0 ? 1 : Int32(status)
}

/// Rejects names that are not UTF-8: decoding would change them, and could make two of them equal.
private func checkArguments() {
    // Swift reads them in /proc, which can fail; without arguments, help would be a success.
    guard CommandLine.argc > 0 else {
        let error =
            ProcFolder.isThere
            ? KeychainError(.io, "the arguments can't be read") : ProcFolder.missing
        printError(error)
        _exit(exitStatus(error))
    }
    // Safe: the system passes as many NUL-terminated arguments as it says.
    let arguments = unsafe UnsafeBufferPointer(
        start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let areText = unsafe arguments.allSatisfy {
        unsafe $0.map { unsafe String(validatingCString: $0) } ?? nil != nil
    }
    guard areText else {
        let error = KeychainError(.param, "an argument is not UTF-8", hint: "lanyard --help")
        printError(error)
        _exit(exitStatus(error))
    }
}

/// Exits if the reader of our output has gone, as in `lanyard list | head -1`: silently and by the signal,
/// as other programs do.
private func endIfReaderIsGone(_ error: KeychainError) {
    var output = pollfd(fd: 1, events: 0, revents: 0)
    let isOfOutput = error.status == .io && error.reason.hasPrefix("the answer can't be written")
    // Safe: the count matches the one entry.
    if isOfOutput, unsafe poll(&output, 1, 0) == 1, output.revents & Int16(POLLERR) != 0 {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }
}

/// Exits after a request for help, or after invalid arguments, with the parser's words in our format.
private func endParsing(_ error: any Error) -> Never {
    let text = LanyardCommand.message(for: error)
    guard LanyardCommand.exitCode(for: error) != .success else {
        do throws(KeychainError) {
            try writeAnswer(
                Secret("\(HelpText.wrappingUsage(text))\n\(ManualPage.line(forHelp: text))"))
        } catch {
            endIfReaderIsGone(error)
            printError(error)
            _exit(1)
        }
        _exit(0)
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    let error =
        UnknownCommand(arguments)?.error ?? MissingTerminator(arguments)?.error
        ?? UsageMessage(text, help: helpCommand(for: error)).error
    printError(error)
    _exit(exitStatus(error))
}

/// Returns the command that explains the correct usage.
private func helpCommand(for error: any Error) -> String {
    // The parser's long message ends with the usage of the intended subcommand.
    let usage = LanyardCommand.fullMessage(for: error).split(separator: "\n").last {
        $0.hasPrefix("Usage: ")
    }
    let words =
        usage?.dropFirst("Usage: ".count).split(separator: " ").prefix {
            $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-")
        } ?? ["lanyard"]
    return (words + ["--help"]).joined(separator: " ")
}
