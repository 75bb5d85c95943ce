import Testing
@testable import EndToEndRig

/// ansible-lanyard-client and real ansible.
@Suite(.needs(.ansible), .timeLimit(.minutes(10)))
struct AnsibleTests {
    let home: ScratchHome
    private static let password = "hunter2 bilby"

    init() async throws {
        home = try ScratchHome()
        try await home.set("--for", "ansible", "dev", secret: Self.password)
    }

    private func vault(_ operation: String, id: String = "dev") async throws -> Outcome {
        let client = "\(try Programs.folder())/ansible-lanyard-client"
        return try await home.command(
            "setsid",
            [
                "--wait", "ansible-vault", operation, "--vault-id", "\(id)@\(client)",
                "\(home.path)/secrets.yml",
            ], variables: ["LC_ALL": "C.UTF-8"]
        ).run()
    }

    @Test func encryptsAndViews() async throws {
        let file = try home.write("answer: 42\n", to: "secrets.yml")
        let encrypted = try await vault("encrypt")
        #expect(encrypted.status == 0, "\(encrypted)")
        let text = String(decoding: try home.read(file), as: UTF8.self)
        #expect(text.hasPrefix("$ANSIBLE_VAULT;1.2;AES256;dev\n"), "\(text)")
        let viewed = try await vault("view")
        #expect(viewed.status == 0 && viewed.outputText == "answer: 42\n", "\(viewed)")
        #expect(try home.file(with: Self.password) == nil)

        // ansible's own words for the client's status 2.
        let unknown = try await vault("view", id: "prod")
        #expect(unknown.status != 0 && unknown.outputText.isEmpty, "\(unknown)")
        #expect(
            unknown.errorText.contains("did not find a secret for vault-id=prod"), "\(unknown)")

        // A second ID has a password of its own.
        try await home.set("--for", "ansible", "prod", secret: "second")
        let other = try await vault("view", id: "prod")
        #expect(other.status != 0 && other.errorText.contains("Decryption failed"), "\(other)")
        let first = try await vault("view")
        #expect(first.status == 0 && first.outputText == "answer: 42\n", "\(first)")

        try await home.set("--for", "ansible", "dev", secret: "wrong")
        let wrong = try await vault("view")
        #expect(wrong.status != 0 && wrong.outputText.isEmpty, "\(wrong)")
        #expect(wrong.errorText.contains("Decryption failed"), "\(wrong)")

        try await home.setPassphrase()
        let locked = try await vault("view")
        #expect(locked.status != 0 && locked.outputText.isEmpty, "\(locked)")
        #expect(locked.errorText.contains("the keychain 'login' is locked"), "\(locked)")
    }
}
