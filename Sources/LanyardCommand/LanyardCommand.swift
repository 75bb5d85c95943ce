internal import ArgumentParser
internal import Glibc
internal import Prompting
internal import Keychains
internal import KeychainServices
internal import LinuxSystem

/// The command `lanyard`.
struct LanyardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lanyard",
        abstract: "Keep logins in one encrypted keychain.",
        version: "lanyard \(LinuxSystem.version)",
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday",
                subcommands: [
                    SetCommand.self, GetCommand.self, ListCommand.self, RemoveCommand.self,
                    FindCommand.self, RenameCommand.self, EditCommand.self,
                    GenerateCommand.self, ExecCommand.self,
                ]),
            CommandGroup(
                name: "Setup",
                subcommands: [
                    SetupCommand.self, DoctorCommand.self, ImportCommand.self, ExportCommand.self,
                ]),
            CommandGroup(
                name: "Locking",
                subcommands: [
                    StatusCommand.self, UnlockCommand.self, LockCommand.self,
                    PassphraseCommand.self, RecoveryKeyCommand.self,
                ]),
            CommandGroup(
                name: "Other",
                subcommands: [
                    BackupCommand.self, RestoreCommand.self, VerifyCommand.self,
                    KeychainCommand.self, ConfigCommand.self, VersionCommand.self,
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

/// Runs `lanyard` with the process's arguments and ends the process: with 0, with an error's OSStatus
/// modulo 256, or with 64 for wrong usage.
///
/// It is not asynchronous, though a command may be: what runs those opens descriptors of its own, and
/// would be given those of standard streams that are closed.
public func runLanyard() -> Never {
    CompletionRequest.prepare()
    endInOneLineWithoutMemory(status: exitStatus(KeychainError(.allocate)))
    do {
        try hardenProcess()
        checkArguments()
        var arguments = Array(CommandLine.arguments.dropFirst())
        // Not an option of the parser's: after a command that would be taken for `lanyard` itself.
        if arguments == ["-V"] {
            arguments = ["--version"]
        }
        var command = try LanyardCommand.command(given: arguments)
        try command.run()
        endLanyard()
    } catch {
        endLanyard(error)
    }
}

/// Ends the process after a command that has done its work.
func endLanyard() -> Never {
    warnOfUnusableKeychains()
    _exit(0)
}

/// Ends the process after an error.
func endLanyard(_ error: any Error) -> Never {
    if let error = error as? KeychainError {
        endIfNobodyReads(error)
        let error = completedByUnusableKeychains(error)
        warnOfUnusableKeychains(endingWith: error)
        printError(
            error.named(by: CommandLine.arguments)
                .withoutCircularHint(after: CommandLine.arguments))
        _exit(exitStatus(error))
    }
    endParsing(error)
}

private func exitStatus(_ error: KeychainError) -> Int32 {
    // An exit status is a byte; the number is given modulo 256, as macOS's `security` does.
    let status = UInt8(truncatingIfNeeded: error.status.rawValue)
    // A plugin may have a status of its own.
    return status == 0 ? 1 : Int32(status)
}

/// Names that are not UTF-8 would be read as others, and two of them perhaps as the same.
private func checkArguments() {
    // Swift reads them in /proc, where that can fail; without any, help would be a success.
    guard CommandLine.argc > 0 else {
        let error =
            ProcFolder.isThere
            ? KeychainError(.io, "the arguments can't be read") : ProcFolder.missing
        printError(error)
        _exit(Int32(UInt8(truncatingIfNeeded: error.status.rawValue)))
    }
    // Safe: the system gives as many arguments as it says, each with a NUL at its end.
    let arguments = unsafe UnsafeBufferPointer(
        start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let areText = unsafe arguments.allSatisfy {
        unsafe $0.map { unsafe String(validatingCString: $0) } ?? nil != nil
    }
    guard areText else {
        printError(
            KeychainError(.param, "an argument is not UTF-8", hint: "lanyard --help"))
        _exit(64)
    }
}

/// Ends the process where whoever read our output has gone, as in `lanyard list | head -1`: in silence
/// and by the signal, as other programs do.
private func endIfNobodyReads(_ error: KeychainError) {
    var output = pollfd(fd: 1, events: 0, revents: 0)
    let isOfOutput = error.status == .io && error.reason.hasPrefix("the answer can't be written")
    // Safe: it is told of one entry, and there is one.
    if isOfOutput, unsafe poll(&output, 1, 0) == 1, output.revents & Int16(POLLERR) != 0 {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }
}

/// Ends the process after a request for help, or after arguments that can't be understood, with the
/// parser's words in our form.
private func endParsing(_ error: any Error) -> Never {
    let text = LanyardCommand.message(for: error)
    guard LanyardCommand.exitCode(for: error) != .success else {
        do throws(KeychainError) {
            try writeAnswer(Secret("\(text)\n"))
        } catch {
            printError(error)
            _exit(1)
        }
        _exit(0)
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    printError(
        UnknownCommand(arguments)?.error ?? MissingTerminator(arguments)?.error
            ?? UsageMessage(text, help: helpCommand(for: error)).error)
    _exit(64)
}

/// The command that explains the usage that was missed.
private func helpCommand(for error: any Error) -> String {
    // The parser's long message ends with the usage of the subcommand that was meant.
    let usage = LanyardCommand.fullMessage(for: error).split(separator: "\n").last {
        $0.hasPrefix("Usage: ")
    }
    let words =
        usage?.dropFirst("Usage: ".count).split(separator: " ").prefix {
            $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-")
        } ?? ["lanyard"]
    return (words + ["--help"]).joined(separator: " ")
}
