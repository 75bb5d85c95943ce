import Foundation
import Testing
@testable import EndToEndRig

/// Exports of password managers, as they write them.
@Suite(.timeLimit(.minutes(10)))
struct ImportVaultsTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private static let code = "otpauth://totp/a:ada?secret=GEZDGNBVGY3TQOJQ"

    /// A database of KeePassXC with all that an entry has, and its export, which goes through a pipe.
    @Test(.needs(.keepassxcCLI)) func keepassxc() async throws {
        let source = try home.write(
            """
            <KeePassFile><Meta><RecycleBinEnabled>True</RecycleBinEnabled>
            <RecycleBinUUID>AQEBAQEBAQEBAQEBAQEBAQ==</RecycleBinUUID></Meta>
            <Root><Group><UUID>8PKe5LawRHmCM5+PB4JQzQ==</UUID><Name>Passwords</Name>
            <Group><UUID>P/9+cfM1Q0KBd6x70d2Y1Q==</UUID><Name>Work</Name>
            <Entry><UUID>J14b/+cFSm+9vGh0nPTDgQ==</UUID><Tags>shared;billing</Tags>
            <String><Key>Title</Key><Value>first &amp; best</Value></String>
            <String><Key>UserName</Key><Value>ada</Value></String>
            <String><Key>Password</Key><Value ProtectInMemory="True">p&amp;"w&lt;</Value></String>
            <String><Key>URL</Key><Value>https://a.example/x</Value></String>
            <String><Key>Notes</Key><Value>line 1\nline 2</Value></String>
            <String><Key>pin</Key><Value ProtectInMemory="True">1234</Value></String>
            <String><Key>otp</Key><Value ProtectInMemory="True">\(Self.code)</Value></String>
            </Entry></Group></Group></Root></KeePassFile>
            """, to: "source.xml")
        let outcome = try await home.command(
            "sh",
            [
                "-c",
                """
                printf 'pw\\npw\\n' | keepassxc-cli import -p "$1" "$2" >/dev/null 2>&1
                printf 'pw\\n' | keepassxc-cli export "$2" 2>/dev/null >"$3"
                : >"$HOME/../empty"
                echo text >"$HOME/../text"
                exec lanyard import keepassxc - <"$3"
                """, "sh", source, "\(home.path)/t.kdbx", "\(home.path)/export.xml",
            ], variables: ["QT_QPA_PLATFORM": "offscreen"]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText == "import    3 new\n", "\(outcome)")
        expectAnswer(try await home.lanyard("get", "https://a.example/x", "ada"), "p&\"w<\n")
        expectAnswer(try await home.lanyard("get", "first & best/pin"), "1234\n")
        let code = try await home.lanyard("code", "https://a.example/x")
        #expect(code.status == 0 && code.output.count == 7, "\(code)")
        let list = try await home.lanyard("list", "--json")
        #expect(
            list.outputText.contains(#"line 1\nline 2\n\nFolder: Work\nTags: billing, shared"#),
            "\(list)")
        for file in ["t.kdbx", "empty", "text"] {
            let wrong = try await home.imports("keepassxc", "\(home.path)/\(file)")
            #expect(wrong.status == 93 && wrong.output.isEmpty, "\(wrong)")
            #expect(
                wrong.errorText.contains(
                    "\nlanyard: hint: keepassxc-cli export --format xml DATABASE > export.xml\n"),
                "\(wrong)")
            #expect(file != "t.kdbx" || wrong.errorText.contains("an encrypted database"))
        }
        try await home.expectImport(
            "keepassxc", "\(home.path)/export.xml", "--remove-plain-text",
            saying: "import    3 unchanged")
        #expect(!FileManager.default.fileExists(atPath: "\(home.path)/export.xml"))
    }

    /// A cell that no rule reads is a loss: its column is named, and the file stays.
    @Test func aColumnThatIsUnknown() async throws {
        let known = try home.writeAtHome(
            """
            "Title","Login","Password","URL","Notes","OTP"
            "a","ada","s3cret","https://a.example","","GEZDGNBVGY3TQOJQ"
            """, to: "known.csv")
        let unknown = try home.writeAtHome(
            """
            username,title,password,url,Security question,favorite
            ada,a,s3cret,https://a.example,the dog's name,1
            bob,b,pw,https://b.example,,1
            """, to: "unknown.csv")
        for isJSON in [false, true] {
            let outcome = try await home.imports(
                "csv", unknown, "--remove-plain-text", isJSON ? "--json" : "--replace")
            #expect(outcome.status == 64, "\(outcome)")
            #expect(!"\(outcome)".contains("dog"))
            #expect(
                isJSON
                    ? outcome.outputText.contains(
                        #""what":"unread","name":"Security question","entries":1"#)
                    : outcome.errorText.contains(
                        """
                        '\(unknown)': 1 entry was imported without 'Security question', which \
                        Lanyard doesn't know (line 2)
                        """),
                "\(outcome)")
            #expect(FileManager.default.fileExists(atPath: unknown))
        }
        try await home.expectImport(
            "csv", known, "--remove-plain-text", saying: "import    1 new, 1 unchanged")
        #expect(!FileManager.default.fileExists(atPath: known))
        expectAnswer(try await home.lanyard("get", "https://a.example", "ada"), "s3cret\n")
        #expect(try await home.lanyard("code", "https://a.example").status == 0)
    }

    /// A 1PUX is a zip archive; no other file of it is read.
    @Test(.needs(.python, .unzip)) func onePassword() async throws {
        let data = """
            {"accounts": [{"attrs": {}, "vaults": [{"attrs": {"name": "Personal"}, "items": [
             {"categoryUuid": "001", "state": "active", "overview": {"title": "Example",
              "url": "https://a.example/"}, "details": {"loginFields": [
              {"value": "ada", "designation": "username"}, {"value": "s3cret", "designation": "password"}],
              "sections": [{"fields": [{"title": "code", "id": "t", "value": {"totp": "\(Self.code)"}}]}]}}]}]}]}
            """
        let file = "\(home.folder)/export.1pux"
        func zip(_ name: String, _ text: String) async throws {
            let outcome = try await home.command(
                "python3",
                [
                    "-c",
                    """
                    import sys, zipfile
                    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
                        archive.writestr("export.attributes", "{}")
                        archive.writestr("files/a__b.txt", "x" * 100)
                        archive.writestr(sys.argv[2], sys.argv[3])
                    """, file, name, text,
                ]
            ).run()
            #expect(outcome.status == 0, "\(outcome)")
        }
        try await zip("export.data", data)
        try await home.expectImport("1password", file, saying: "import    2 new")
        expectAnswer(try await home.lanyard("get", "https://a.example", "ada"), "s3cret\n")
        try await home.expectImport(
            "1password", file, "--remove-plain-text", saying: "import    2 unchanged")
        #expect(!FileManager.default.fileExists(atPath: file))
        // Unpacked by the user.
        let unpacked = try home.writeAtHome(data, to: "export.data")
        try await home.expectImport("1password", unpacked, saying: "import    2 unchanged")

        try await zip("other", data)
        let other = try await home.imports("1password", file)
        #expect(other.status != 0 && other.errorText.contains("no valid export.data"), "\(other)")
        for text in ["", "Title,Url\n", "{}", "{\"items\": []}"] {
            let wrong = try await home.imports("1pux", "-", input: text)
            #expect(wrong.status == 93 && wrong.output.isEmpty, "\(wrong)")
            #expect(
                wrong.errorText.contains(
                    "\nlanyard: hint: export it from 1Password in the file format 1PUX\n"),
                "\(wrong)")
        }
        let without = try await home.imports(
            "1password", file, variables: ["PATH": try Programs.folder()])
        #expect(
            without.errorText.contains("unzip is not on the PATH\nlanyard: hint: "), "\(without)")
    }
}
