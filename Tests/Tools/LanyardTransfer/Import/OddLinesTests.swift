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
            (CargoCredentialsFile(), .toml, "[registry]\ntoken = \"ssass\"\n"),
            (
                UVCredentialsFile(), .toml,
                "[[credential]]\nservice = \"https://a.example\"\nusername = \"a\"\npassword = \"ssass\"\n"
            ),
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

    /// TOML has several forms of text.
    @Test func linesOfTOML() throws {
        let files = try Self.files([.toml])
        #expect(files.count > 20)
        for file in files {
            let (_, name, _) = file.parts
            let key = name.prefix { !" =".contains($0) }
            for value in [
                "'$'", "\"$\" # mine", "\"\"\"$\"\"\"", "\'\'\'$\'\'\'", "$", "\"$\\u0021\"",
                "[\"$\"]",
            ] {
                let line = "\(key)=\(value.replacing("$", with: file.secret))"
                let (secrets, failures) = try outcome(file.format, file.text(line))
                let own = secrets.filter { $0.contains(file.secret) }
                let read = file.secret + (value.contains("u0021") ? "!" : "")
                #expect(own == [read] || own == [] && !failures.isEmpty, "\(line)")
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
            // npm's own precedence leaves the earlier one out, and cargo refuses such a file.
            let isCargo = file.format is CargoCredentialsFile && own == ["ssearlierss"]
            #expect(own == [file.secret] || own == [] || isCargo, "\(file.lines)")
            let number = file.index + (isCargo ? 2 : 1)
            let isNamed = failures.contains { $0 == "line \(number)" }
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

    /// Files of tools with formats of their own, each with a secret `one`.
    private static let ownFormats: [(name: String, text: String)] = [
        ("npm", "//a.example/:_authToken=one\n"), ("vault", "one\n"), ("supabase", "one\n"),
        ("netrc", "machine a.example\n  login ada\n  password one\n"),
        ("git", "https://ada:one@a.example\nhttps://bob:two@b.example\n"),
        ("psql", "a.example:5432:*:ada:one\nb.example:5432:*:bob:two\n"),
        ("docker", "{\"auths\": {\n\"a.example\": {\"auth\": \"YTpvbmU=\"}}}\n"),
        ("terraform", "{\"credentials\": {\n\"a.example\": {\"token\": \"one\"}}}\n"),
        ("terraform", "credentials \"a.example\" {\n  token = \"one\"\n}\n"),
        ("cargo", "[registry]\ntoken = \"one\"\n"), ("gradle", "repoPassword=one\n"),
        ("pypirc", "[pypi]\nusername = a\npassword = one\n"),
        ("aws", "[a]\naws_access_key_id = a\naws_secret_access_key = one\n"),
        (
            "uv",
            "[[credential]]\nservice = \"https://a.example\"\nusername = \"a\"\npassword = \"one\"\n"
        ),
        ("nordpass", "name,url,username,password\na,https://a.example,ada,one\n"),
        (
            "nuget",
            "<configuration>\n<packageSources><add key=\"a\" value=\"https://a.example/\"/></packageSources>\n"
                + "<packageSourceCredentials><a>\n<add key=\"Username\" value=\"x\"/>\n"
                + "<add key=\"ClearTextPassword\" value=\"one\"/></a></packageSourceCredentials></configuration>\n"
        ),
    ]

    /// Editors of Windows write a mark before a text, and other line breaks.
    @Test func textsOfWindows() throws {
        var files: [(any ImportFormat, String)] = []
        for (name, text) in Self.ownFormats {
            let format = try toolFormat(name)
            #expect(try outcome(format, text).secrets.contains("one"), "\(name)")
            files.append((format, text))
        }
        for profile in ToolProfile.all {
            for file in profile.plainText where !file.isWhole {
                if let text = ProfileFileText(file)?.text {
                    files.append((ProfileFile(profile, file), text))
                }
            }
        }
        #expect(files.count > 100)
        for (format, text) in files {
            let expected = try outcome(format, text)
            for other in ["\u{FEFF}\(text)", text.replacing("\n", with: "\r\n")] {
                let given = try outcome(format, other)
                #expect(given == expected, "\(other)")
                let left = rest(of: other, without: try read(format, other))
                let plain = rest(of: text, without: try read(format, text))
                // Of a single line nothing is left.
                #expect(
                    left.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n") == plain
                        || plain.isEmpty, "\(other)")
            }
        }
    }

    /// A quotation mark that the program does not take off is a part of the value.
    @Test(
        arguments: [
            ("s3cmd", "[default]\naccess_key = a\nsecret_key = $\n", "\""),
            ("mysql", "[client]\npassword = $\n", "\"'"), ("hf", "[a]\nhf_token = $\n", ""),
            ("databricks", "[a]\nhost = https://a.example\ntoken = $\n", "\"'"),
            ("pypirc", "[pypi]\nusername = a\npassword = $\n", ""),
        ])
    func quotedValues(name: String, text: String, marks: String) throws {
        var format: any ImportFormat = try toolFormat("pypirc")
        if let profile = ToolProfile.all.first(where: { $0.name == name }) {
            let file = try #require(profile.plainText.first { $0.format == .ini })
            format = ProfileFile(profile, file)
        }
        for mark in ["\"", "'"] {
            let (secrets, _) = try outcome(format, text.replacing("$", with: "\(mark)one\(mark)"))
            let secret = marks.contains(mark) ? "one" : "\(mark)one\(mark)"
            #expect(secrets.first == secret || secrets.last == secret, "\(secrets)")
        }
    }

    /// A member of another kind than a program writes is named, and the others are read.
    @Test(
        arguments: [
            (
                "terraform",
                #"{"credentials":{"a.example":{"token":5},"b.example":{"token":"one"}}}"#
            ),
            ("terraform", #"{"credentials":{"a.example":"two","b.example":{"token":"one"}}}"#),
            ("terraform", #"{"credentials":{"b.example":{"token":"one","n":1.5}}}"#),
            ("terraform", #"{"more":[1],"credentials":{"b.example":{"token":"one"}}}"#),
            ("docker", #"{"auths":{"a.example":7,"b.example":{"auth":"YTpvbmU="}}}"#),
            ("docker", #"{"auths":{"b.example":{"auth":"YTpvbmU=","identitytoken":[2]}}}"#),
            (
                "docker",
                #"{"auths":{"a.example":{"auth":{}},"b.example":{"auth":"YTpvbmU=","email":3}}}"#
            ),
            ("resend", #"{"profiles":{"a":{"api_key":12345},"b":{"api_key":"one"}}}"#),
            (
                "bitwarden",
                #"{"items":[{"type":1,"name":"a","login":{"username":5,"password":"one"}},{"name":[]}]}"#
            ),
            ("1password", #"{"accounts": [{"vaults": 1}]}"#), ("docker", #"{"auths":[1]}"#),
            ("docker", #"{"auths":{"h":"dTpw"}}"#),
            ("docker", #"{"auths":{"h":{"auth":7}}}"#), ("bitwarden", #"{"items":[7]}"#),
            ("bitwarden", #"{"items":[{"type":"1","login":{"password":"pw"}}]}"#),
            ("terraform", #"{"credentials":[{"token":"pw"}]}"#),
            ("bitwarden", #"{"items":[7,{"type":1,"name":"a","login":{"password":"one"}}]}"#),
            (
                "bitwarden",
                #"{"folders":7,"items":[{"type":1,"name":"a","login":{"password":"one"}}]}"#
            ),
        ])
    func membersOfAnotherKind(name: String, text: String) throws {
        let format: any ImportFormat =
            if name == "bitwarden" {
                BitwardenFile()
            } else if name == "1password" {
                OnePasswordFile()
            } else if let profile = ToolProfile.all.first(where: { $0.name == name }),
                name != "docker", name != "terraform"
            {
                ProfileFile(profile, profile.plainText[0])
            } else {
                try toolFormat(name)
            }
        let entries = try read(format, text)
        #expect(
            entries.compactMap(\.login?.text).contains("one")
                == (text.contains("one") || text.contains("YTpvbmU")))
        #expect(entries.contains { $0.reason != nil || $0.loss != nil })
    }

    /// npm ignores the settings in sections.
    @Test func sectionsOfNpm() throws {
        let (secrets, failures) = try outcome(
            NpmrcFile(), "//a.example/:_authToken=one\n[x]\n//a.example/:_authToken=two\n")
        #expect(secrets == ["one"])
        #expect(failures == ["line 3"])
    }
}
