import ArgumentParser
import Testing

@testable import LanyardCommand

@Suite("the help of each command has examples")
struct HelpExampleTests {
    /// The words of every command, those that only have others below them included.
    private static let commands = [[]] + words(below: LanyardCommand.self)

    private static func words(below type: any ParsableCommand.Type) -> [[String]] {
        type.configuration.subcommands.flatMap { command in
            let name = command.configuration.commandName ?? ""
            return [[name]] + words(below: command).map { [name] + $0 }
        }
    }

    private func examples(of command: [String]) -> [String] {
        var type: any ParsableCommand.Type = LanyardCommand.self
        for word in command {
            type = type.configuration.subcommands.first { $0.isNamed(word) } ?? type
        }
        let help = LanyardCommand.helpMessage(for: type, columns: 80)
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "EXAMPLES:" }.dropFirst().prefix { !$0.isEmpty }.map(String.init)
    }

    @Test(
        "each of which is understood, is of that command, and fits a terminal", arguments: commands)
    func example(of command: [String]) throws {
        let examples = examples(of: command)
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(example.hasPrefix("  ") && example.count < 80)
            let call = try #require(shellWords(example).split(separator: "|").last.map(Array.init))
            let words = call
            #expect(words.starts(with: ["lanyard"] + command), "\(example)")
            // Also what a shell does not expand here.
            #expect(throws: Never.self, "\(example)") {
                try LanyardCommand.command(given: Array(words.dropFirst()))
            }
        }
    }

    @Test("and its usage fits a terminal, without a break in an option", arguments: commands)
    func usage(of command: [String]) throws {
        var type: any ParsableCommand.Type = LanyardCommand.self
        for word in command {
            type = type.configuration.subcommands.first { $0.isNamed(word) } ?? type
        }
        let help = LanyardCommand.helpMessage(for: type, columns: 80)
        let wrapped = HelpText.wrappingUsage(help)
        let lines = wrapped.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(wrapped)")
        #expect(
            lines.allSatisfy { line in
                line.count { $0 == "[" } == line.count { $0 == "]" }
            }, "\(wrapped)")
        let words = { (text: String) in text.split { " \n".contains($0) } }
        #expect(words(wrapped) == words(help))
    }

    /// The words of a line as a shell has them, as far as examples go.
    private func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        var isQuoted = false
        for word in line.split(separator: " ") {
            if !isQuoted, word.hasPrefix("#") {
                break
            }
            let text = String(word.filter { $0 != "'" })
            if isQuoted {
                words[words.count - 1] += " \(text)"
            } else {
                words.append(text)
            }
            isQuoted = isQuoted != (word.count { $0 == "'" } == 1)
        }
        return words
    }

    @Test("everyday commands come first")
    func order() {
        let names = LanyardCommand.configuration.subcommands.map { $0.configuration.commandName }
        #expect(names.prefix(4) == ["set", "get", "list", "remove"])
    }
}
