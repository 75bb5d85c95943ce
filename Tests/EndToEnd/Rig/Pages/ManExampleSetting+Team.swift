extension ManExampleSetting {
    private static let tests = "EndToEnd/Keychains/Team/TeamTests.swift"

    static let team = [
        Self(
            page: "lanyard-team.1", mark: "team create",
            replacing: [
                "lanyard team create /mnt/share/team": "USER=ada lanyard team create \"$HOME/team\""
            ],
            after: "grep -q '^lanyard team join' \"$OUTPUT\""),
        Self(
            page: "lanyard-team.1", mark: "team join",
            way: .elsewhere(tests, #"grace, "join", address"#)),
        Self(
            page: "lanyard-team.1", mark: "team approve",
            way: .elsewhere(tests, #""approve", code.lowercased()"#)),
        Self(
            page: "lanyard-team.1", mark: "recovery-key --keychain",
            before: """
                lanyard keychain create work
                USER=ada lanyard team create "$HOME/team" --keychain work
                """,
            after: "grep -q '^lanyard team recover' \"$OUTPUT\""),
        Self(
            page: "lanyard-history.1", mark: "lanyard history",
            way: .elsewhere(tests, #""history", "--json", "db""#)),
        Self(
            page: "lanyard-restore-version.1", mark: "restore-version db 2",
            way: .elsewhere(tests, #""restore-version", "db", "2""#)),
    ]
}
