import Foundation
import Testing
import TestSupport

/// A recipe of lanyard(7), as it is printed there: what a test runs is what a reader types.
struct Recipe {
    /// The texts between `.Bd -literal` and `.Ed`.
    let blocks: [String]

    /// - Parameter name: The subsection's.
    init(_ name: String) throws {
        let page = try Repository.text("man/lanyard.7")
        let start = try #require(page.range(of: "\n.Ss \(name)\n"))
        let section = page[start.upperBound...].split(separator: "\n.S")[0]
        blocks = section.split(separator: ".Bd -literal -offset indent\n").dropFirst().map {
            String($0.split(separator: ".Ed")[0])
                .replacing("\\e\n", with: "\\\n")
        }
    }

    /// The commands of a block, without the prompts of the shell.
    func commands(_ number: Int) throws -> String {
        try #require(blocks.indices.contains(number))
        return blocks[number].split(separator: "\n").map { line in
            line.hasPrefix("$ ") || line.hasPrefix("# ") ? line.dropFirst(2) : line
        }.joined(separator: "\n")
    }

    /// The values after `NAME=` in a systemd unit, line by line.
    func settings(_ name: String, ofBlock number: Int) throws -> [String] {
        try #require(blocks.indices.contains(number))
        return blocks[number].split(separator: "\n").filter { $0.hasPrefix("\(name)=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }
}

extension ScratchHome {
    /// What makes programs look at the home folder only, as a user's do.
    var ownHome: [String: String?] {
        ["LANYARD_HOME": nil, "GIT_CONFIG_GLOBAL": nil, "TERM": "xterm"]
    }
}
