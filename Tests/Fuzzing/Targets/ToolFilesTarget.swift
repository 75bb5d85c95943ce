import KeychainServices

@testable import LanyardTransfer
@testable import ToolCatalog
@testable import ToolSetup

/// The plain-text files of tools with a helper, and the settings of their setups.
enum ToolFilesTarget: FuzzTarget {
    static let name = "tool-files"

    static func run(_ input: [UInt8]) {
        let configuration = Secret(copying: input.span)
        _ = ImportedEntries(AWSCredentialsFile(), input, group: "aws")
        _ = ImportedEntries(
            CargoCredentialsFile(configuration: configuration), input, group: "cargo")
        _ = ImportedEntries(GradlePropertiesFile(), input, group: "login")
        _ = ImportedEntries(NpmrcFile(), input, group: "npm")
        _ = ImportedEntries(TerraformCredentialsFile(), input, group: "terraform")
        _ = ImportedEntries(
            VaultTokenFile(address: "https://vault.example"), input, group: "vault")
        _ = attempt { () throws(KeychainError) in
            // Two passwords of a source have the range of its element.
            try NuGetConfigFile().read(Secret(copying: input.span)) {
                record throws(KeychainError) in
                check(
                    record.ranges.last?.upperBound ?? 0 <= input.count,
                    "a range lies outside the file")
            }
        }
        var end = 0
        _ = attempt { () throws(KeychainError) in
            // Its entries are lines that may be before those of the entry above.
            try PypircFile().read(Secret(copying: input.span)) { record throws(KeychainError) in
                end = max(end, record.ranges.last?.upperBound ?? 0)
            }
        }
        check(end <= input.count, "a range lies outside the file")
        checkSettings(input)
    }

    /// Settings that were added are there, and once they are removed the rest is as before.
    private static func checkSettings(_ input: [UInt8]) {
        for header in [nil, "[lanyard]"] {
            let section = SettingsSection(header: header, lines: ["lanyard = \"x\"", "other 1"])
            var text = SettingsText(FileBytes(input))
            let lines = section.lines.map { FileBytes($0) }
            let present = text.lines(of: header, isTOML: section.isTOML)
            guard !lines.contains(where: present.contains) else {
                continue
            }
            let before = text.bytes.split(separator: 0x0A)
            text.add(section)
            check(section.isIn(SettingsText(text.bytes)), "settings are not in the text")
            text.remove(section)
            let rest = text.bytes.split(separator: 0x0A)
            check(
                rest.filter {
                    !$0.allSatisfy(\.isWhitespace) && $0 != header.map { FileBytes($0) }
                }
                    == before.filter {
                        !$0.allSatisfy(\.isWhitespace) && $0 != header.map { FileBytes($0) }
                    }, "another line has changed")
        }
    }
}
