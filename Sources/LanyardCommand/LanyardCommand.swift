internal import ArgumentParser
internal import Glibc
internal import HelperKit
internal import Keychain

/// The command `lanyard`.
struct LanyardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lanyard",
        abstract: "Keep logins in one encrypted keychain.",
        version: "lanyard \(HelperKit.version)",
        subcommands: [
            SetCommand.self, GetCommand.self, ListCommand.self, RemoveCommand.self,
            StatusCommand.self, ConfigCommand.self, KeychainCommand.self, SetupCommand.self,
        ])
}

/// Runs `lanyard` with the process's arguments and ends the process: with 0, with an error's OSStatus
/// modulo 256, or with 64 for wrong usage.
public func runLanyard() async -> Never {
    do {
        try hardenProcess()
        var command = try LanyardCommand.parseAsRoot()
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
        _exit(0)
    } catch let error as KeychainError {
        printError(error)
        // An exit status is a byte; the number is given modulo 256, as macOS's `security` does.
        _exit(Int32(UInt8(truncatingIfNeeded: error.status.rawValue)))
    } catch {
        endParsing(error)
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
    printError(UsageMessage(text, help: helpCommand(for: error)).error)
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
