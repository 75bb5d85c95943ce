import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard code`.
@Suite(.timeLimit(.minutes(10)))
struct CodeTests {
    let home: ScratchHome
    private static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    init() throws {
        home = try ScratchHome()
    }

    private func setCode(_ arguments: String..., key: String) async throws {
        let outcome = try await home.command(
            "lanyard", ["set", "--stdin", "--code"] + arguments, input: Array(key.utf8)
        ).run()
        expectAnswer(outcome, "")
    }

    /// Every form of key, beside Debian's oathtool.
    @Test(
        .needs(.oathtool),
        arguments: [
            ("", "totp"), ("&digits=8&period=60&algorithm=SHA256", "totp=sha256 -d 8 -s 60"),
            ("&digits=8&algorithm=SHA512", "totp=sha512 -d 8"),
            ("&algorithm=SHA1&digits=7&period=15", "totp=sha1 -d 7 -s 15"),
        ])
    func itIsThatOfOathtool(parameters: String, options: String) async throws {
        try await setCode("x", key: "otpauth://totp/a?secret=\(Self.key)\(parameters)")
        // Again, if the code changes between the two.
        try await home.shell(
            """
            for round in 1 2 3; do
                before=$(oathtool -b --$2 "$1")
                ours=$(lanyard code x)
                [ "$before" != "$(oathtool -b --$2 "$1")" ] || break
            done
            [ "$before" = "$ours" ]
            """, Self.key, options)
    }

    @Test func json() async throws {
        try await setCode(
            "github", key: "otpauth://totp/x?secret=\(Self.key)&digits=8&period=60&algorithm=SHA256"
        )
        let code = try await home.json("code", "--json", "github").members
        guard case .string(let digits) = code["code"], case .number(let left) = code["seconds_left"]
        else {
            Issue.record("\(code)")
            return
        }
        #expect(digits.count == 8 && digits.allSatisfy(\.isNumber))
        #expect((1...60).contains(left))
        #expect(code["period"] == 60)
    }

    /// What reads passwords never gets the key in place of one.
    @Test func theKeyIsNotTheLoginsSecret() async throws {
        for name in ["github", "https://example.com"] {
            try await home.set(name, "ada", secret: "the password")
            try await setCode(name, "ada", key: Self.key)
            expectAnswer(try await home.lanyard("get", name, "ada"), "the password\n")
            expectAnswer(
                try await home.lanyard(
                    "exec", "--env", "P=\(name)", "--account", "P=ada", "--", "sh", "-c",
                    "printf %s \"$P\""), "the password")
            let code = try await home.lanyard("code", name, "ada")
            #expect(code.status == 0 && code.output.count == 7, "\(code)")
            let removed = try await home.lanyard("remove", "--group", "login", name)
            expectAnswer(removed, "")
            let got = try await home.lanyard("get", name)
            #expect(got.status == 44 && got.output.isEmpty, "\(got)")
            #expect(
                got.errorText.contains("'\(name)' has only a key for one-time codes"), "\(got)")
        }
    }

    /// Copied to git's group, as doctor advises for logins, it would be the password.
    @Test func doctorTakesNoKeyForALogin() async throws {
        func codes() async throws -> [String] {
            try Doctor(try await home.lanyard("doctor", "--json")).codes
        }
        try await setCode("https://github.com", "ada", key: Self.key)
        #expect(try await !codes().contains("login-in-other-group"))
        try await home.set("https://github.com", "ada", secret: "the password")
        #expect(try await codes().contains("login-in-other-group"))
    }

    @Test func invalidKeysAreNotStored() async throws {
        for key in ["", "not a key!", "otpauth://hotp/x?secret=\(Self.key)&counter=1"] {
            let outcome = try await home.lanyard("set", "--stdin", "--code", "x", input: key)
            #expect(outcome.status == 64, "\(outcome)")
            #expect(!outcome.errorText.contains(Self.key), "\(outcome)")
        }
        expectAnswer(try await home.lanyard("list", "--json"), "[]\n")
        let missing = try await home.lanyard("code", "x")
        #expect(missing.status == 44, "\(missing)")
        // A host without its scheme names the URL.
        let stored = try await home.lanyard(
            "set", "--stdin", "--code", "https://twitter.example", input: Self.key)
        expectAnswer(stored, "")
        let host = try await home.lanyard("code", "twitter.example")
        #expect(
            host.status == 44
                && host.errorText.hasSuffix("hint: name its URL: https://twitter.example\n"),
            "\(host)")
        let group = try await home.lanyard("set", "--code", "--group", "x", "x")
        #expect(group.status == 64, "\(group)")
    }

    /// Through an import, an export and another import.
    @Test func itSurvivesImportAndExport() async throws {
        let file = try home.writeAtHome(
            """
            {"encrypted":false,"items":[{"type":1,"name":"x","login":{"username":"ada",
            "password":"pw","uris":[{"uri":"https://example.com"}],"totp":"\(Self.key)"}}]}
            """, to: "bitwarden.json")
        let first = try await home.imports("bitwarden", file, "--remove-plain-text", "--group", "x")
        #expect(first.status == 0, "\(first)")
        #expect(first.outputText.hasPrefix("import    2 new\n"), "\(first)")
        #expect(home.textAtHome("bitwarden.json") == nil)
        let export = try await home.lanyard(
            "export", "--plain-text", "--yes", "\(home.path)/export.json")
        #expect(export.status == 0, "\(export)")
        let other = ["LANYARD_HOME": "\(home.path)/other"] as [String: String?]
        let second = try await home.lanyard(
            "import", "lanyard", "\(home.path)/export.json", variables: other)
        #expect(second.status == 0, "\(second)")
        let code = try await home.lanyard("code", "https://example.com", variables: other)
        #expect(code.status == 0 && code.output.count == 7, "\(code)")
        let got = try await home.lanyard("get", "https://example.com", variables: other)
        expectAnswer(got, "pw\n")
    }
}

extension Need {
    fileprivate static let oathtool = Need(missing: "there is no oathtool") {
        try await succeeds("oathtool", "--version")
    }
}
