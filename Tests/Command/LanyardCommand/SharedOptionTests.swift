import ArgumentParser
import Testing

@testable import LanyardCommand

@Suite("an option that several commands have is in all of its kind")
struct SharedOptionTests {
    /// The words of every command that has none below it.
    private static let commands = words(below: LanyardCommand.self)

    private static func words(below type: any ParsableCommand.Type) -> [[String]] {
        type.configuration.subcommands.flatMap { command in
            let name = command.configuration.commandName ?? ""
            let below = words(below: command)
            return below.isEmpty ? [[name]] : below.map { [name] + $0 }
        }
    }

    private static func help(of command: [String]) -> String {
        var type: any ParsableCommand.Type = LanyardCommand.self
        for word in command {
            type = type.configuration.subcommands.first { $0.isNamed(word) } ?? type
        }
        return LanyardCommand.helpMessage(for: type, columns: 200)
    }

    /// The commands whose help describes an option.
    private static func commands(with option: String) -> [[String]] {
        commands.filter { help(of: $0).contains("\n  \(option) ") }
    }

    @Test("--for is wherever --group is, and only one of them can be given")
    func tools() throws {
        let commands = SharedOptionTests.commands(with: "--group <group>")
        #expect(commands.count > 25)
        for command in commands {
            #expect(SharedOptionTests.help(of: command).contains("\n  --for <tool> "), "\(command)")
            // Whatever else they need comes later.
            let both = command + ["--group", "g", "--for", "git", "--", "a", "b"]
            #expect(throws: (any Error).self) { try LanyardCommand.parseAsRoot(both) }
        }
        let list = try LanyardCommand.parseAsRoot(["list", "--for", "git"]) as? ListCommand
        #expect(list?.filter.group.name == "git")
    }

    @Test("every setup has --yes, --dry-run and --undo")
    func setups() throws {
        let setups = SharedOptionTests.commands.filter { $0[0] == "setup" }
        #expect(setups.count > 15)
        for setup in setups {
            for options in [["--yes"], ["--dry-run"], ["--undo"], ["--dry-run", "--yes"]] {
                #expect(throws: Never.self, "\(setup) \(options)") {
                    try LanyardCommand.parseAsRoot(setup + options)
                }
            }
        }
    }

    /// ``EndToEnd.PipedSecretTests`` runs these with a pipe, and without the option.
    @Test("the commands that read a secret from standard input")
    func pipes() {
        #expect(SharedOptionTests.commands(with: "--stdin") == [["set"], ["unlock"]])
    }
}
