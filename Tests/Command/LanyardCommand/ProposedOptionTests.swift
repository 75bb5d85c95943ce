import ArgumentParser
import KeychainServices
import Testing

@testable import LanyardCommand

/// `lanyard rm --yes one` proposed `--all`.
@Suite("an option is proposed for a mistyped one only if it does no more")
struct ProposedOptionTests {
    /// Every option that may be proposed. A new one belongs here, or among those that never are.
    private static let harmless: Set = [
        "--accessible", "--account", "--after", "--ask", "--authentication-type", "--by",
        "--certificate", "--chain", "--characters", "--clipboard", "--code", "--collection",
        "--comment", "--creator", "--der", "--description", "--device", "--dry-run", "--env",
        "--env-file", "--expired", "--expires", "--file", "--for", "--group", "--help",
        "--identity", "--input", "--invisible", "--json", "--keychain", "--kind", "--label",
        "--leave-items", "--length", "--limit", "--lock-after", "--lock-on-screen-lock",
        "--lock-on-sleep", "--name", "--netrc", "--new-passphrase-file", "--newer", "--no-default",
        "--no-invisible", "--no-negative", "--no-portable", "--no-replace", "--no-synchronizable",
        "--on", "--openssh", "--output", "--passphrase-file", "--pem", "--person", "--plugin",
        "--private-key", "--profile", "--program", "--protocol", "--quiet", "--recovery-key",
        "--recovery-key-file", "--report", "--role", "--security-domain", "--server", "--since",
        "--size", "--sort", "--staged", "--stdin", "--symbols", "--tag", "--timeout", "--to",
        "--to-account", "--type", "--verbose", "--version",
    ]

    private struct Command {
        let type: any ParsableCommand.Type
        let options: [String]
    }

    /// Every command that has none below it.
    private static let commands = commands(below: LanyardCommand.self)

    private static func commands(below type: any ParsableCommand.Type) -> [Command] {
        type.configuration.subcommands.flatMap { command in
            guard command.configuration.subcommands.isEmpty else {
                return commands(below: command)
            }
            let help = LanyardCommand.helpMessage(for: command, columns: 200)
            let options = help.matches(of: /(?:^|[^-a-z])(--[a-z][a-z0-9-]+)/).map {
                String($0.1)
            }
            return [Command(type: command, options: Set(options).sorted())]
        }
    }

    @Test func everyOptionIsKnown() {
        let all = Set(Self.commands.flatMap(\.options))
        #expect(all.count > 60)
        let unknown = all.subtracting(Self.harmless).subtracting(UsageMessage.neverProposed)
        // Examples name options of other programs.
        #expect(unknown.subtracting(["--netrc-file", "--host", "--cert"]).sorted() == [])
        #expect(Self.harmless.intersection(UsageMessage.neverProposed).sorted() == [])
    }

    /// Typing errors of an option: a letter is missing or wrong, or the last two are swapped.
    private static func mistyped(_ option: String) -> [String] {
        let letters = Array(option)
        var swapped = letters
        swapped.swapAt(letters.count - 1, letters.count - 2)
        var wrong = letters
        wrong[letters.count / 2] = "x"
        return [String(swapped), String(wrong)]
            + letters.indices.dropFirst(2).map { index in
                var missing = letters
                missing.remove(at: index)
                return String(missing)
            }
    }

    /// What users try because other programs have it.
    private static let usual = [
        "--yes", "--force", "--all", "--quiet", "--no", "--al", "--ye", "--undo", "--one", "--id",
    ]

    @Test func noneThatDoesMore() {
        // Many commands have the same of these options.
        var seen: Set<[String]> = []
        for command in Self.commands {
            // An option that does no more may be proposed for any text: the others are what matters.
            let broad = command.options.filter(UsageMessage.neverProposed.contains)
            guard seen.insert(broad).inserted else {
                continue
            }
            let typed = Set(broad.flatMap(Self.mistyped) + Self.usual).subtracting(command.options)
            for option in typed {
                guard let message = message(command, option) else {
                    continue
                }
                let hint = UsageMessage(message, help: "lanyard x --help").error.hint
                guard let proposed = hint?.firstMatch(of: /did you mean '(--[a-z0-9-]+)'/)?.1 else {
                    continue
                }
                #expect(
                    Self.harmless.contains(String(proposed)),
                    "\(command.type) \(option): \(proposed)")
            }
        }
    }

    /// The parser's message for an option, nil if it takes it.
    private func message(_ command: Command, _ option: String) -> String? {
        do {
            _ = try command.type.parseAsRoot([option])
            return nil
        } catch {
            return command.type.message(for: error)
        }
    }

    @Test("one that does no more is still proposed")
    func proposes() {
        let error = UsageMessage(
            "Unknown option '--dry-rnu'. Did you mean '--dry-run'?", help: "lanyard setup --help"
        ).error
        #expect(error.hint == "did you mean '--dry-run'?")
        for typed in ["--yes", "--al", "--alll"] {
            let all = UsageMessage(
                "Unknown option '\(typed)'. Did you mean '--all'?", help: "lanyard remove --help"
            ).error
            #expect(
                all.hint == "lanyard remove --help" && all.reason == "unknown option '\(typed)'")
        }
        // The parser also proposes what is not alike.
        let other = UsageMessage(
            "Unknown option '--now'. Did you mean '--to'?", help: "lanyard rename --help"
        ).error
        #expect(other.hint == "lanyard rename --help")
    }
}
