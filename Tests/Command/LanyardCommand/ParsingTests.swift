import ArgumentParser
import Testing

@testable import LanyardCommand

@Suite("a command parsed alone equals the one parsed by the whole of lanyard")
struct ParsingTests {
    /// The names of every command that has none below it.
    private static let commands = names(below: LanyardCommand.self)

    private static func names(below type: any ParsableCommand.Type) -> [[String]] {
        type.configuration.subcommands.flatMap { command in
            let name = command.configuration.commandName ?? ""
            let below = names(below: command)
            return below.isEmpty ? [[name]] : below.map { [name] + $0 }
        }
    }

    /// Right for some commands, and wrong for others. None asks for completions, which would be looked for
    /// in whoever's keychain runs the tests.
    private static let usages = [
        [], ["x"], ["x", "y"], ["x", "y", "z"], [""], ["-"], ["--"], ["---"], ["-x"], ["-xy"],
        ["--", "x"], ["--", "x", "--help"], ["x", "--", "--version"], ["--nope"],
        ["--nope=1", "x"],
        ["-h"], ["--help"], ["x", "--help"], ["--help-hidden"], ["help"], ["help", "x"],
        ["--version"], ["x", "--version"], ["--keychain=--version", "x"], ["--keychain", "--help"],
        ["--generate-completion-script"], ["--generate-completion-script", "bash"],
        ["x", "--generate-completion-script=zsh"], ["--experimental-dump-help"],
        ["x", "--experimental-dump-help"],
        ["--keychain"], ["--keychain", "k"], ["--keychain", "k", "x"], ["x", "y", "--keychain=k"],
        ["--keychain", "k", "--keychain", "l", "x"], ["--keychain", ""], ["--json"],
        ["--json", "x"], ["x", "--json", "--json"], ["--json=1", "x"], ["--group", "g", "x"],
        ["x", "--group"], ["x", "--stdin"], ["x", "--stdin", "--no-replace", "--label", "l"],
        ["x", "--length", "12"], ["x", "--length", "twelve"], ["--all"],
        ["--all", "--keychain", "k"],
        ["--server", "s", "--account=a", "--expired"], ["--yes"], ["--yes", "--dry-run"],
        ["--env", "A=x", "--", "true", "--version"], ["--env", "A=x", "true"], ["--reset", "x"],
        ["--file", "f"], ["--file", "f", "--quarantine"], ["--report", "--json"], ["list"], ["set"],
    ]

    /// `run` alone passes what follows on to the program. Parsing with all of lanyard takes long: each command tries an
    /// eighth of the usages, and each usage meets an eighth of the commands.
    @Test(arguments: commands.filter { $0 != ["run"] }.enumerated().map { ($0, $1) })
    func sameCommand(number: Int, of names: [String]) {
        for (place, usage) in Self.usages.enumerated() where place % 8 == number % 8 {
            let arguments = names + usage
            if let command = LanyardCommand.commandAlone(given: arguments) {
                let whole = Result { try LanyardCommand.parseAsRoot(arguments) }
                #expect(text(.success(command)) == text(whole), "\(arguments)")
            }
        }
    }

    @Test(
        "words after a program are the program's",
        arguments: [
            ["x", "--help"], ["x", "--version"], ["x", "--keychain", "k"], ["x", "--", "--json"],
            ["x", "--generate-completion-script", "bash"], ["x", "-h"], ["./x", ""],
        ])
    func program(arguments: [String]) throws {
        for options in [[], ["--keychain", "k"], ["--account=a"]] {
            let parsed = LanyardCommand.commandAlone(given: ["run"] + options + arguments)
            #expect(try #require(parsed as? RunCommand).command == arguments)
        }
    }

    @Test("the message about a tool after --undo keeps the option")
    func misplacedTool() {
        let result = Result { try LanyardCommand.parseAsRoot(["setup", "--undo", "git"]) }
        #expect(text(result).contains("lanyard setup git --undo"))
    }

    @Test(
        "usage errors equal those of the whole of lanyard",
        arguments: [
            [], ["--nope"], ["x", "y", "z"], ["x", "--keychain"], ["--help"], ["x", "--version"],
        ])
    func sameMessages(of usage: [String]) {
        let arguments = ["get"] + usage
        let command = Result { try LanyardCommand.command(given: arguments) }
        let whole = Result { try LanyardCommand.parseAsRoot(arguments) }
        #expect(text(command) == text(whole))
    }

    @Test(
        "no command that is named first needs the others",
        arguments: [
            ["get", "x", "y", "--json"], ["set", "x", "--stdin"], ["list"], ["list", "--json"],
            ["remove", "x"], ["find", "x", "--all"], ["rename", "x", "--to", "y"],
            ["edit", "x", "--label", "l", "--no-negative"], ["set", "x", "--for", "git"],
            ["generate", "x", "--length", "12"], ["status"],
            ["exec", "--env", "A=x", "--", "true", "--version"], ["keychain", "list"],
            ["doctor"], ["setup", "git", "--dry-run"], ["import", "csv", "f"],
        ])
    func isParsedAlone(arguments: [String]) {
        #expect(LanyardCommand.commandAlone(given: arguments) != nil)
    }

    @Test(
        "global options are left to lanyard itself",
        arguments: [
            [], [""], ["--help"], ["--version"], ["help", "get"], ["ge", "x"], ["Get", "x"],
            ["--", "get", "x"], ["setup"], ["keychain"], ["keychain", "help"], ["get"],
            ["get", "x", "--help"], ["get", "x", "--version"], ["get", "x", "y", "z"],
            ["get", "x", "--generate-completion-script", "bash"], ["keychain", "--json", "list"],
            ["---completion", "get", "--", "positional@0", "0", "0"],
        ])
    func isParsedByTheWhole(arguments: [String]) {
        #expect(LanyardCommand.commandAlone(given: arguments) == nil)
    }

    /// All that can be seen of what parsing came to.
    private func text(_ result: Result<any ParsableCommand, any Error>) -> String {
        var text = ""
        switch result {
        case .success(let command):
            dump(command, to: &text)
        case .failure(let error):
            text = LanyardCommand.fullMessage(for: error, columns: 80)
            text += "\n\(LanyardCommand.message(for: error))"
            text += "\n\(LanyardCommand.exitCode(for: error).rawValue)"
        }
        return text
    }
}
