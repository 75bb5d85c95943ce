import Foundation
import Testing
import TestSupport

/// What the README says.
enum Readme {
    /// What to type, from a row of the table for each tool.
    ///
    /// - Parameter beginning: What it begins with.
    static func command(
        _ beginning: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let text = try Repository.text("README.md")
        let section = try #require(text.components(separatedBy: "\n## For each tool\n").last)
            .components(separatedBy: "\n## ")[0]
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let commands = rows.flatMap { $0.matches(of: /`([^`]*)`/).map { String($0.1) } }
        return try #require(
            commands.first { $0.hasPrefix(beginning) }, "the README does not say: \(beginning)",
            sourceLocation: sourceLocation)
    }
}
