import Foundation
import Testing

/// A home with a hundred logins in plain text is imported whole: then no plain text is left in it, and every
/// tool logs in as before.
@Suite(.needs(.git, .lighttpd, .registry, .skopeo), .timeLimit(.minutes(10)))
struct ImportedHomeTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// A login that must still work.
    private struct Login: Sendable {
        let user: String
        let password: String

        /// As it stands in a URL.
        var inURL: (user: String, password: String) {
            (Login.encoded(user), Login.encoded(password))
        }

        private static func encoded(_ text: String) -> String {
            text.utf8.map { byte in
                let sign = Character(Unicode.Scalar(byte))
                let isPlain = byte < 0x80 && (sign.isLetter || sign.isNumber)
                return isPlain ? String(Unicode.Scalar(byte)) : String(format: "%%%02X", byte)
            }.joined()
        }
    }

    /// What a password is found again by, in whatever form: no password is without one.
    private static func mark(_ number: Int) -> String {
        "Mark\(String(repeating: "qxz", count: 2))\(number + 1000)Kiwi"
    }

    /// What passwords have besides.
    private static let odd = [
        "", " with blanks ", "%41%", "p@ss", "a/b", "a:b", "#hash?query&and=", "\"quoted\"", "'",
        "\\back\\slash", "pässwörd", "日本語", "🐨", "$HOME`x`", "<tag>", "\t", "+plus+", "~", "{}[]",
        "^|;!",
    ]

    /// Those that git keeps for the server, each user with one.
    private static let gits = (0..<40).map {
        Login(
            user: $0 % 5 == 0 ? "üser \($0)@example.com" : "user\($0)",
            password: "\(odd[$0 % odd.count])\(mark($0))")
    }

    /// Those that are only to be kept, from machines that nobody asks here.
    private static let netrcs = (0..<24).map {
        Login(user: "netrc\($0)", password: "\(odd[$0 % odd.count])\(mark(100 + $0))")
    }

    private static let registries = (0..<14).map {
        Login(user: "docker\($0)", password: "\(odd[$0 % odd.count])\(mark(200 + $0))")
    }

    /// Every password that lies there.
    private static var marks: [String: String] {
        var words: [String: String] = [:]
        for number in Array(0..<40) + Array(50..<70) + Array(100..<124) + Array(200..<214) {
            words["\(number)"] = mark(number)
        }
        words["the registry's"] = Registry.password
        return words
    }

    /// 40 that work, 10 that do no longer, and 10 that are never used.
    private func writeGitCredentials(_ server: GitServer) throws {
        var lines: [String] = []
        for login in Self.gits {
            lines.append("http://\(login.inURL.user):\(login.inURL.password)@\(server.host)")
        }
        for number in 0..<10 {
            lines.append("https://gone:\(Self.mark(50 + number))@host\(number).example")
            // The password that the user had once.
            let user = Self.gits[number].inURL.user
            lines.append("http://\(user):\(Self.mark(60 + number))@\(server.host)")
        }
        lines.insert("", at: 3)
        try home.writeAtHome(lines.joined(separator: "\n") + "\n", to: ".git-credentials")
    }

    private func writeNetrc() throws {
        var text = "# logins\n"
        for (number, login) in Self.netrcs.enumerated() {
            let password = login.password.replacing("\\", with: "\\\\").replacing(
                "\"", with: "\\\""
            )
            .replacing("\t", with: "\\t")
            text += "machine netrc\(number).example\n\tlogin \(login.user)\n"
            text += "\tpassword \"\(password)\"\n"
        }
        try home.writeAtHome(text, to: ".netrc")
    }

    private func auth(_ user: String, _ password: String) -> String {
        #"{"auth":"\#(Data("\(user):\(password)".utf8).base64EncodedString())"}"#
    }

    private func writeRegistryLogins(_ registry: Registry) throws {
        let others = Self.registries.enumerated().map { number, login in
            "\t\t\"registry\(number).example\": \(auth(login.user, login.password))"
        }
        let real = auth(Registry.user, Registry.password)
        try home.writeAtHome(
            "{\n\t\"auths\": {\n\(others.joined(separator: ",\n")),\n\t\t\"\(registry.host)\": \(real)\n"
                + "\t},\n\t\"detachKeys\": \"ctrl-e,e\"\n}\n",
            to: ".docker/config.json")
        try home.writeAtHome(
            #"{"auths":{"\#(registry.host)":\#(real)}}"#, to: "run/containers/auth.json")
    }

    private func found() throws -> [String] {
        let forms = ReadableForms(words: Self.marks)
        return forms.search(try Snapshot(home.folder).contents)
            + forms.search(try Snapshot(home.lanyard).contents)
    }

    /// All users log in with git, which asks the helpers that its configuration names.
    private func expectGitLogins(_ server: GitServer, helper: String) async throws {
        try await home.succeeds("git", "config", "--global", "credential.helper", helper)
        for login in Self.gits {
            try await home.succeeds("git", "ls-remote", server.url(user: login.inURL.user))
        }
    }

    @Test func everythingIsImportedAndNothingIsLeft() async throws {
        var repository = GitServer.Repository()
        repository.users = Dictionary(
            uniqueKeysWithValues: Self.gits.map { ($0.user, $0.password) })
        let home = home
        try await home.configureGit()
        try await GitServer.serve(home, [repository]) { server in
            try await Registry.serve(home) { registry in
                try home.configureClients(.nothing)
                try writeGitCredentials(server)
                try writeNetrc()
                try writeRegistryLogins(registry)
                #expect(try Set(found().map { $0.prefix { $0 != " " } }).count > 60)
                try await expectGitLogins(server, helper: "store")
                try await home.expectLogin(registry)
                // git has taken out of its file what it never used.
                try writeGitCredentials(server)

                try await importAll()
                #expect(try found() == [])
                #expect(home.textAtHome(".git-credentials") == nil)
                #expect(home.textAtHome(".docker/config.json")?.contains("ctrl-e,e") == true)

                try home.configureClients(.everything)
                try await expectGitLogins(server, helper: "lanyard")
                try await expectNetrcLogins()
                try await home.expectLogin(registry)
                for (number, login) in Self.registries.enumerated() {
                    let outcome = try await home.dockerHelper(
                        "get", input: "registry\(number).example")
                    let answer = try JSONText(outcome.output).members
                    #expect(answer["Secret"] == .string(login.password), "\(number)")
                    #expect(answer["Username"] == .string(login.user))
                }
                #expect(try found() == [])
            }
        }
    }

    private func importAll() async throws {
        try await home.expectImport(
            "git-credentials", "--remove-plain-text",
            saying: "50 new, 0 the same, 0 skipped, "
                + "10 never used (an earlier one is for the same place)")
        try await home.expectImport(
            "netrc", "--remove-plain-text", saying: "24 new, 0 the same, 0 skipped")
        // The same login stands in both files.
        try await home.expectImport(
            "docker-config", "--remove-plain-text", saying: "15 new, 1 the same, 0 skipped")
    }

    /// git has them from curl, which reads .netrc, and asks its helpers now.
    private func expectNetrcLogins() async throws {
        for (number, login) in Self.netrcs.enumerated() {
            let outcome = try await home.command(
                "git", ["credential", "fill"],
                input: Array("url=https://netrc\(number).example\n\n".utf8)
            ).run()
            #expect(outcome.outputText.contains("username=\(login.user)\n"), "\(outcome)")
            #expect(outcome.outputText.contains("password=\(login.password)\n"), "\(number)")
        }
    }
}

extension ScratchHome {
    /// Expects that skopeo is let in: an image that is not there is looked for.
    fileprivate func expectLogin(_ registry: Registry) async throws {
        let outcome = try await client(
            .skopeo, ["inspect", "--tls-verify=false", registry.image("nothing:latest")]
        ).run()
        #expect(outcome.errorText.contains("unknown"), "\(outcome)")
        #expect(!outcome.errorText.contains("authentication required"), "\(outcome)")
    }
}
