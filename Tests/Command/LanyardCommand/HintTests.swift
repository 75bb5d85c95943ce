import ArgumentParser
import Foundation
import Testing

@testable import LanyardCommand
import TestSupport

@Suite("the commands in hints")
struct HintTests {
    /// What a hint puts in.
    private static let value = "\u{1}"

    /// The commands with an option in the texts of all hints.
    private static func commands() throws -> [String] {
        let sources = URL(filePath: Repository.path).appending(path: "Sources")
        let names = LanyardCommand.configuration.subcommands.compactMap {
            $0.configuration.commandName
        }
        var commands: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for line in text.split(separator: "\n")
            where line.contains("lanyard ") && !line.contains("//") {
                let text = line.replacing(#/\\\((?:[^()]|\([^()]*\))*\)/#, with: value)
                    // Only these values are words of a list.
                    .replacing("--for \(value)", with: "--for git")
                    .replacing("--on \(value)", with: "--on sleep")
                for part in text.split(separator: "lanyard ").dropFirst() {
                    let command = part.prefix { !"\"`;".contains($0) }
                    let words = command.split(separator: " ")
                    if let first = words.first, names.contains(String(first)),
                        words.contains(where: isOption)
                    {
                        commands.insert(String(command))
                    }
                }
            }
        }
        return commands.sorted()
    }

    private static func isOption(_ word: Substring) -> Bool {
        word.hasPrefix("--") && word.count > 2
    }

    @Test("have what they need: typed as printed, the parser takes them")
    func parse() throws {
        let commands = try HintTests.commands()
        #expect(commands.count > 30)
        for command in commands {
            // An option can be put in with its space, or not at all.
            let isTaken = ["x", "", " x"].contains { filled in
                HintTests.isTaken(
                    command.replacing("'", with: "").replacing(HintTests.value, with: filled))
            }
            #expect(isTaken, "lanyard \(command)")
        }
    }

    /// Whether the parser takes a command, which words of the sentence may follow.
    private static func isTaken(_ command: String) -> Bool {
        let words = command.split { " ,:)".contains($0) }.map(String.init)
        let end = words.firstIndex { $0.hasPrefix("--") } ?? 0
        let commands = (end + 1...words.count).map { Array(words.prefix($0)) }
        // The whole parser takes long, and only a few need it.
        return commands.contains { LanyardCommand.commandAlone(given: $0) != nil }
            || commands.contains { (try? LanyardCommand.parseAsRoot($0)) != nil }
    }
}
