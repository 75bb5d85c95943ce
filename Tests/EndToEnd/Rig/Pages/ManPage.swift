import Foundation
import Testing

/// What a helper's man page says about how the helper is called.
struct ManPage {
    let helper: Helper
    let text: String

    init(_ helper: Helper) throws {
        self.helper = helper
        text = try helper.manPage()
    }

    /// The options that are named anywhere.
    var options: Set<String> { options(in: text.split(separator: "\n")) }

    /// The page's lines from one section's heading to the next.
    func section(_ name: String) throws -> [Substring] {
        let lines = text.split(separator: "\n")
        let start = try #require(lines.firstIndex(of: ".Sh \(name)"))
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix(".Sh ") })
    }

    func options(in section: String) throws -> Set<String> {
        options(in: try self.section(section))
    }

    private func options(in lines: [Substring]) -> Set<String> {
        Set(lines.flatMap { $0.matches(of: /\bFl (-?[\w-]+)/).map { "-\($0.1)" } })
    }

    /// The operations in the synopsis.
    func namedOperations() throws -> Set<String> {
        Set(
            try section("SYNOPSIS").filter { $0.hasPrefix(".Cm ") }
                .flatMap { $0.dropFirst(4).split(separator: "|") }
                .map { $0.trimmingCharacters(in: .whitespaces) })
    }

    /// The items of the list of operations: the first list of the description.
    func describedOperations() throws -> Set<String> {
        let list = try section("DESCRIPTION").drop { !$0.hasPrefix(".Bl ") }
            .prefix { !$0.hasPrefix(".El") }
        return Set(list.filter { $0.hasPrefix(".It Cm ") }.map { String($0.dropFirst(7)) })
    }

    /// The variables that are described.
    func variables() throws -> Set<String> {
        Set(
            try section("ENVIRONMENT").filter { $0.hasPrefix(".It Ev ") }
                .map { String($0.dropFirst(7)) })
    }
}
