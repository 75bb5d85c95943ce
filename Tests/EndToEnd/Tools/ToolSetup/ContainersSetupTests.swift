import KeychainServices
import Testing

@testable import ToolSetup

@Suite("setting podman, skopeo and buildah up")
struct ContainersSetupTests {
    private static let file = ".config/containers/registries.conf.d/zz-lanyard.conf"
    private static let text = """
        # podman, skopeo and buildah store logins in lanyard (setup docker)
        credential-helpers = ["lanyard"]

        """

    private func home() throws -> SetupHome {
        let home = try SetupHome(programs: [])
        try home.script("skopeo", "exit 1")
        return home
    }

    @Test("a drop-in is made, and removed with its folders")
    func dropIn() throws {
        let home = try home()
        let plan = try home.setUp(.docker)
        #expect(
            plan.changes.map(\.path)
                == [".docker/config.json", ContainersSetupTests.file].map(home.path))
        #expect(try home.read(ContainersSetupTests.file) == ContainersSetupTests.text)
        #expect(
            plan.changes.last?.summary == [
                "skopeo: logins are stored in lanyard (credential-helpers)"
            ])
        try home.undo(.docker)
        #expect(try home.tree().isEmpty)
    }

    /// The tools ask helpers for `quay.example` alone.
    @Test("logins for a part of a registry")
    func partsOfRegistries() throws {
        let home = try home()
        try home.write(
            ".config/containers/auth.json",
            #"{"auths":{"quay.example":{"auth":"YTpi"},"quay.example/org":{"auth":"YTpi"},"#
                + #""quay.example/old":{},"https://r.example/v1/":{"auth":"YTpi"}}}"#)
        let notes = try home.setUp(.docker).notes.filter {
            $0.contains("only if there is no other")
        }
        #expect(notes.count == 1 && notes.allSatisfy { $0.contains("'quay.example/org'") })
    }

    @Test("newer versions follow XDG_CONFIG_HOME")
    func otherFolder() throws {
        let home = try home()
        home.variables["XDG_CONFIG_HOME"] = home.path("xdg")
        try home.setUp(.docker)
        let other = "xdg" + ContainersSetupTests.file.dropFirst(".config".count)
        #expect(try home.read(other) == ContainersSetupTests.text)
        #expect(try home.read(ContainersSetupTests.file) == ContainersSetupTests.text)
        try home.undo(.docker)
        #expect(try home.tree().isEmpty)
    }

    @Test(
        "a drop-in edited by hand",
        arguments: [
            // before the setup, in between (nil: as the setup left it), after the undo
            ("[[registry]]\nlocation = \"a\"\n", nil, "[[registry]]\nlocation = \"a\"\n"),
            (nil, text + "[[registry]]\nlocation = \"a\"", "[[registry]]\nlocation = \"a\""),
            (nil, "\(text)\n\n", nil),
            ("# mine\n", "# mine\n", "# mine\n"),
        ] as [(String?, String?, String?)])
    func changed(before: String?, now: String?, then: String?) throws {
        let home = try home()
        if let before {
            try home.write(ContainersSetupTests.file, before)
        }
        try home.setUp(.docker)
        #expect(try home.read(ContainersSetupTests.file).hasPrefix(ContainersSetupTests.text))
        if let now {
            try home.write(ContainersSetupTests.file, now)
        }
        try home.undo(.docker)
        if let then {
            #expect(try home.read(ContainersSetupTests.file) == then)
        } else {
            #expect(try home.tree().isEmpty)
        }
    }

    @Test("our drop-in with other helpers stays")
    func otherHelpers() throws {
        let home = try home()
        try home.write(ContainersSetupTests.file, "credential-helpers = [\"pass\"]\n")
        let before = try home.tree()
        #expect(failure { try home.setUp(.docker) }?.status == .param)
        #expect(try home.tree() == before)
    }

    @Test("the plan names other files with helpers, and plain-text logins")
    func notes() throws {
        let home = try home()
        try home.write(
            ".config/containers/registries.conf", "  credential-helpers = [\"pass\"]\n")
        try home.write(
            ".config/containers/auth.json", "{\"auths\":{\"a\":{\"auth\":\"aHVudGVyMg\"}}}")
        let plan = try home.setup(.docker).plan()
        #expect(
            plan.notes.suffix(1) == [
                "the credential-helpers in '\(home.path(".config/containers/registries.conf"))' are"
                    + " no longer used"
            ])
        let file = "'\(home.path(".config/containers/auth.json"))'"
        #expect(
            plan.unusedLogins.map(\.note) == [
                "\(file) contains logins in plain text (1): podman, skopeo and buildah no longer read"
                    + " them; to move them into the keychain: lanyard import docker-config"
                    + " --remove-plain-text \(file)"
            ])
    }
}
