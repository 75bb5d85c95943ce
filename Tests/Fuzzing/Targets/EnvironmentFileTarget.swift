import KeychainServices

@testable import ToolCatalog

/// A project's `.env` file: whatever is read reads the same when it is written anew with quotes.
enum EnvironmentFileTarget: FuzzTarget {
    static let name = "environment-file"

    static func run(_ input: [UInt8]) {
        let file = attempt { () throws(KeychainError) in try EnvironmentFile(FileBytes(input)) }
        guard let entries = file?.entries else {
            return
        }
        var line = 0
        for entry in entries {
            check(entry.line > line, "an entry is before the one above")
            line = entry.line
            check(!entry.name.isEmpty && !entry.name.contains("="), "an entry has no name")
            for case .text(let text) in entry.value.pieces {
                check(!text.contains(0), "a value contains a NUL")
            }
            if !entry.value.hasReferences {
                checkWritten(entry)
            }
        }
        check(line <= input.count { $0 == 0x0A } + 1, "an entry is after the last line")
    }

    /// In single quotes nothing is special but these.
    private static func checkWritten(_ entry: EnvironmentFile.Entry) {
        let value: [UInt8] = entry.value.pieces.flatMap { (piece) -> [UInt8] in
            if case .text(let text) = piece { Array(text) } else { [] }
        }
        let quote = UInt8(ascii: "'")
        guard !value.contains(quote) else {
            return
        }
        let written = Array("\(entry.name)=".utf8) + [quote] + value + [quote]
        let again = attempt { () throws(KeychainError) in try EnvironmentFile(FileBytes(written)) }
        check(
            again?.entries.map(\.name) == [entry.name]
                && again?.entries.map(\.value) == [entry.value],
            "a value that is written anew is another one")
    }
}
