import LanyardTransfer
import KeychainServices
import PlainTextFormats
import Testing
import ToolCatalog

/// Lines of tools' files that programs read in one way and people write in several: a secret is imported as the program has
/// it, or the line is named with a failure.
@Suite struct OddLinesTests {
    /// A file's text, and the line with a secret that an import takes.
    struct File {
        let format: any ImportFormat
        let syntax: PlainTextFormat
        let lines: [String]
        let index: Int
        let secret: String

        /// The line's blanks, its name with the sign, and the rest after the secret.
        var parts: (blanks: String, name: String, end: String) {
            let line = lines[index]
            let marks = line.split(separator: secret, omittingEmptySubsequences: false)
            let name = marks[0].drop { $0 == " " }
            return (
                String(marks[0].prefix(marks[0].count - name.count)), String(name), String(marks[1])
            )
        }

        /// Returns the file with other lines instead of that with the secret.
        func text(_ other: String...) -> String {
            (lines[..<index] + other + lines[(index + 1)...]).joined(separator: "\n")
        }
    }

    /// One for each secret of each tool's file in these formats.
    static func files(_ syntaxes: Set<PlainTextFormat>) throws -> [File] {
        var formats: [(any ImportFormat, PlainTextFormat, String)] = [
            (
                AWSCredentialsFile(), .ini,
                "[a]\naws_access_key_id = a\naws_secret_access_key = ssass\n"
            ),
            (PypircFile(), .ini, "[pypi]\nusername = a\npassword = ssass\n"),
            (NpmrcFile(), .ini, "//a.example/:_authToken = ssass\n"),
        ]
        for profile in ToolProfile.all {
            for file in profile.plainText where !file.isWhole {
                if let text = ProfileFileText(file)?.text {
                    formats.append((ProfileFile(profile, file), file.format, text))
                }
            }
        }
        var files: [File] = []
        for (format, syntax, text) in formats where syntaxes.contains(syntax) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
            for secret in try read(format, text).compactMap(\.login?.text)
            where secret.hasPrefix("ss") {
                let index = try #require(lines.firstIndex { $0.contains(secret) })
                files.append(
                    File(format: format, syntax: syntax, lines: lines, index: index, secret: secret)
                )
            }
        }
        return files
    }

    /// Returns the secrets of an import, and the numbers of the lines with a failure.
    private func outcome(
        _ format: any ImportFormat, _ text: String
    ) throws -> (secrets: [String], failures: [String]) {
        var secrets: [String] = []
        var failures: [String] = []
        try format.read(Secret(text)) { record throws(KeychainError) in
            switch record.content {
            case .item(let item):
                secrets.append(item.secret.withBytes { ByteString(copying: $0).description })
            case .failed: failures.append(record.place)
            default: break
            }
        }
        return (secrets, failures)
    }

    @Test func linesOfSettings() throws {
        let files = try Self.files([.ini])
        #expect(files.count > 20)
        for file in files {
            let (_, name, _) = file.parts
            let key = String(name.prefix { !" =".contains($0) })
            for text in [
                file.text("\(key) \(file.secret)"), file.text("\(key)\t\(file.secret)"),
                file.text("\(key) =", "  \(file.secret)"),
                file.text("\(key)", "  = \(file.secret)"),
                file.text("  \(key) = \(file.secret)"), file.text("\(key): \(file.secret)"),
            ] {
                let (secrets, failures) = try outcome(file.format, text)
                let lines = [file.index + 1, file.index + 2].map { "line \($0)" }
                // aws names the section.
                let isNamed =
                    failures.contains(where: lines.contains)
                    || file.lines.count < 5 && !failures.isEmpty
                #expect(secrets.contains(file.secret) || isNamed, "\(text)")
            }
        }
    }

    @Test func linesOfYAML() throws {
        let files = try Self.files([.yaml])
        #expect(files.count > 20)
        for file in files {
            let (blanks, name, _) = file.parts
            let key = String(name.dropLast(2))
            let tab = try outcome(file.format, file.text("\(blanks)\(key):\t\(file.secret)"))
            #expect(tab.secrets.contains(file.secret), "\(file.lines)")
            let text = file.text("\(blanks)\(key):", "\(blanks)    \(file.secret)")
            let (secrets, failures) = try outcome(file.format, text)
            let isNamed = failures.contains { $0 == "line \(file.index + 2)" }
            #expect(secrets.contains(file.secret) || isNamed, "\(text)")
        }
    }

    /// Of two settings with one name, programs take the last one.
    @Test func repeatedSettings() throws {
        for file in try Self.files([.ini, .yaml, .toml, .json]) {
            let line = file.lines[file.index]
            let isJSON = file.syntax == .json
            let earlier =
                line.replacing(file.secret, with: "ssearlierss")
                + (isJSON && !line.hasSuffix(",") ? "," : "")
            let (secrets, failures) = try outcome(
                file.format,
                file.text(isJSON ? earlier.replacing("}", with: "") : earlier, line))
            let own = secrets.filter { [file.secret, "ssearlierss"].contains($0) }
            // npm's own precedence leaves the earlier one out.
            #expect(own == [file.secret] || own == [], "\(file.lines)")
            let isNamed = failures.contains { $0 == "line \(file.index + 1)" }
            // aws refuses such a section.
            let isLeft = own.isEmpty && !failures.isEmpty
            #expect(isNamed || isLeft || file.format.precedence == .last, "\(file.lines)")
        }
    }

    /// Programs read the first document of a file.
    @Test func documentsOfYAML() throws {
        for file in try Self.files([.yaml]) {
            let text = "%YAML 1.2\n---\n\(file.text(file.lines[file.index]))\n---\n"
            let other = file.lines.joined(separator: "\n").replacing(/ss([a-z]+)ss/) {
                "tt\($0.1)tt"
            }
            let (secrets, failures) = try outcome(file.format, text + other)
            #expect(secrets.contains(file.secret) && !secrets.contains { $0.hasPrefix("tt") })
            #expect(failures.contains("line \(file.index + 3 + file.lines.count + 1)"), "\(text)")
        }
    }

    /// npm ignores the settings in sections.
    @Test func sectionsOfNpm() throws {
        let (secrets, failures) = try outcome(
            NpmrcFile(), "//a.example/:_authToken=one\n[x]\n//a.example/:_authToken=two\n")
        #expect(secrets == ["one"])
        #expect(failures == ["line 3"])
    }
}
