import Foundation
import Testing
import TestSupport

/// A block under EXAMPLES in a man page, as a reader sees it.
struct ManExample: Sendable, CustomTestStringConvertible {
    /// The page's file, for example `lanyard.1`.
    let page: String
    /// The lines of the block.
    let text: String

    var testDescription: String { "\(page): \(text.prefix { $0 != "\n" })" }

    /// What is typed: the text after `$ `, each with the lines that it goes on in; empty in a block
    /// that shows something else.
    var commands: String { lines.filter(\.isTyped).map(\.text).joined(separator: "\n") }

    /// What the page says that the commands print; empty where it says nothing.
    var output: String {
        let lines = lines.filter { !$0.isTyped }.map { "\($0.text)\n" }
        return commands.isEmpty ? "" : lines.joined()
    }

    private var lines: [(text: String, isTyped: Bool)] {
        var lines: [(text: String, isTyped: Bool)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let goesOn =
                lines.last.map { $0.isTyped && ($0.text.hasSuffix("|") || $0.text.hasSuffix("\\")) }
            if line.hasPrefix("$ ") {
                lines.append((String(line.dropFirst(2)), true))
            } else {
                lines.append((String(line), goesOn ?? false))
            }
        }
        return lines
    }

    /// The folder of the pages.
    static var folder: URL {
        URL(filePath: "\(Repository.path)/man")
    }

    /// The pages' files.
    static func pages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// All examples of all pages.
    static let all: [ManExample] = {
        let names = (try? pages()) ?? []
        return names.flatMap { page in
            let text = try? String(contentsOf: folder.appending(path: page), encoding: .utf8)
            return examples(page, text ?? "")
        }
    }()

    private static func examples(_ page: String, _ text: String) -> [ManExample] {
        guard let start = text.range(of: "\n.Sh EXAMPLES\n") else {
            return []
        }
        let section = text[start.upperBound...].split(separator: "\n.Sh ")[0]
        return "\n\(section)".components(separatedBy: "\n.Bd -literal").dropFirst().map { block in
            let lines = block.components(separatedBy: "\n").dropFirst().prefix { $0 != ".Ed" }
            return ManExample(page: page, text: shown(lines.joined(separator: "\n")))
        }
    }

    /// What mdoc makes of a literal text.
    private static func shown(_ source: String) -> String {
        source.replacing("\\(aq", with: "'").replacing("\\(dq", with: "\"")
            .replacing("\\&", with: "").replacing("\\-", with: "-").replacing("\\e", with: "\\")
    }
}
