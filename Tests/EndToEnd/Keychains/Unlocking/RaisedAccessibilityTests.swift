import Testing
@testable import EndToEndRig

/// A secret that replaces another one is protected like a new item's.
@Suite(.timeLimit(.minutes(10)))
struct RaisedAccessibilityTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func accessible() async throws -> [JSONText?] {
        try await home.json("list", "--json").elements.map { $0.members["accessible"] }
    }

    /// As an attacker with the machine key does: it takes no passphrase.
    @Test func whatWasForgedWhileLockedGetsNoNewSecret() async throws {
        let request = "protocol=https\nhost=example.com\nusername=ada\n"
        let what = "https://example.com"
        try await home.store("\(request)password=right\n")
        try await home.setPassphrase()
        expectAnswer(try await home.lanyard("remove", "--group", "git", what), "")
        try await home.set(
            "--group", "git", "--accessible", "dk", what, "ada", secret: "forged")
        try await home.expectGet(request, "username=ada\npassword=forged\n")
        let storing = try await home.run(
            .git, ["store"], input: "\(request)password=right\n",
            variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"])
        expectAnswer(storing, "")
        #expect(try await accessible() == ["ak"])
        expectRefusal(try await home.helper("get", input: request), "is locked")
    }

    @Test func setRaisesAndSaysSo() async throws {
        try await home.set("x", "--accessible", "dk", secret: "one")
        let raising = try await home.lanyard("set", "--stdin", "x", input: "two")
        #expect(raising.status == 0)
        #expect(
            raising.errorText
                == "lanyard: warning: the item had the accessibility 'dk' and now has the default; "
                + "--accessible dk keeps it\n")
        #expect(try await accessible() == ["ak"])
        try await home.set("x", "--accessible", "dk", secret: "three")
        try await home.set("x", "--accessible", "dk", secret: "four")
        #expect(try await accessible() == ["dk"])
        // Where new items are as weak, nothing is raised.
        try await home.shell(
            """
            mkdir -m 700 "$LANYARD_HOME/config"
            printf '[lanyard]\\n\\taccessible = dk\\n' >"$LANYARD_HOME/config/config"
            """)
        try await home.set("x", secret: "five")
        #expect(try await accessible() == ["dk"])
    }
}
