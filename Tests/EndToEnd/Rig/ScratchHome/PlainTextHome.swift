import Foundation
import Testing

/// A home with a hundred logins in plain text: those of git, of clients of registries, and in .netrc.
struct PlainTextHome: Sendable {
    let home: ScratchHome
    /// git's server, which speaks http.
    var gitHost = "git.example:8080"
    /// The registries, with one of ``registries`` each.
    var registryHosts = registries.indices.map { "registry\($0).example" }
    /// The hosts in .netrc, with one of ``netrcs`` each.
    var machines = netrcs.indices.map { "netrc\($0).example" }

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
    static let gits = (0..<40).map {
        Account(
            name: $0 % 5 == 0 ? "üser \($0)@example.com" : "user\($0)",
            password: "\(odd[$0 % odd.count])\(mark($0))")
    }

    static let netrcs = (0..<24).map {
        Account(name: "netrc\($0)", password: "\(odd[$0 % odd.count])\(mark(100 + $0))")
    }

    /// Two files contain the first one's login.
    static let registries =
        [Account(name: Registry.user, password: Registry.password)]
        + (0..<14).map {
            Account(name: "docker\($0)", password: "\(odd[$0 % odd.count])\(mark(200 + $0))")
        }

    /// Every password that lies there.
    private static let marks: [String: String] = {
        var words: [String: String] = [:]
        for number in Array(0..<40) + Array(50..<70) + Array(100..<124) + Array(200..<214) {
            words["\(number)"] = mark(number)
        }
        words["the registry's"] = Registry.password
        return words
    }()

    /// The numbers of the passwords that can be read anywhere in the home or beside the keychain.
    func readable() throws -> Set<Substring> {
        let forms = ReadableForms(words: Self.marks)
        let found =
            forms.search(try Snapshot(home.folder).contents)
            + forms.search(try Snapshot(home.lanyard).contents)
        return Set(found.map { $0.prefix { $0 != " " } })
    }

    /// Writes all the files, anew.
    func write() throws {
        try writeGitCredentials()
        try writeNetrc()
        try writeRegistryLogins()
    }

    /// 40 that work, 10 that do no longer, and 10 that are never used.
    private func writeGitCredentials() throws {
        var lines: [String] = []
        for login in Self.gits {
            lines.append("http://\(login.nameInURL):\(login.passwordInURL)@\(gitHost)")
        }
        for number in 0..<10 {
            lines.append("https://gone:\(Self.mark(50 + number))@host\(number).example")
            // The password that the user had once.
            let user = Self.gits[number].nameInURL
            lines.append("http://\(user):\(Self.mark(60 + number))@\(gitHost)")
        }
        lines.insert("", at: 3)
        try home.writeAtHome(lines.joined(separator: "\n") + "\n", to: ".git-credentials")
    }

    private func writeNetrc() throws {
        var text = "# logins\n"
        for (machine, login) in zip(machines, Self.netrcs) {
            let password = login.password.replacing("\\", with: "\\\\").replacing(
                "\"", with: "\\\""
            )
            .replacing("\t", with: "\\t")
            text += "machine \(machine)\n\tlogin \(login.name)\n\tpassword \"\(password)\"\n"
        }
        try home.writeAtHome(text, to: ".netrc")
    }

    private func writeRegistryLogins() throws {
        let auths = zip(registryHosts, Self.registries).map { host, login in
            let auth = Data("\(login.name):\(login.password)".utf8).base64EncodedString()
            return "\"\(host)\": {\"auth\":\"\(auth)\"}"
        }
        try home.writeAtHome(
            "{\n\t\"auths\": {\n\t\t\(auths.joined(separator: ",\n\t\t"))\n"
                + "\t},\n\t\"detachKeys\": \"ctrl-e,e\"\n}\n",
            to: ".docker/config.json")
        try home.writeAtHome("{\"auths\":{\(auths[0])}}", to: "run/containers/auth.json")
    }

    /// Imports everything and has the plain text removed; only what git never uses may be left, which is then removed.
    func importAll() async throws {
        try await home.expectImport(
            "git-credentials", "--remove-plain-text",
            saying: "import    50 new, "
                + "10 unused (an earlier one is for the same place)")
        try await home.expectImport(
            "netrc", "--remove-plain-text", saying: "import    24 new")
        // Both files contain the same login.
        try await home.expectImport(
            "docker-config", "--remove-plain-text", saying: "import    15 new, 1 unchanged")
        #expect(try readable() == Set((60..<70).map { "\($0)" }))
        try FileManager.default.removeItem(atPath: "\(home.folder)/.git-credentials")
        #expect(try readable() == [])
        #expect(home.textAtHome(".docker/config.json")?.contains("ctrl-e,e") == true)
    }
}
