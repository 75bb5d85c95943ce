import Testing
@testable import EndToEndRig

/// The second hour with Lanyard, its part with two accounts: what was typed, and exactly what was answered.
///
/// One file of git's has two accounts for a host. Both are imported, both can be seen, and git gets the one
/// that it got before, and the other one where the URL names it or a server rejects the first.
@Suite(.needs(.git), .timeLimit(.minutes(10)))
struct SecondHourImportTests {
    private static let file = """
        https://ada:pw-of-ada@git.example.com
        https://bob:pw-of-bob@git.example.com

        """
    private static let transcript = """
        $ printf 'protocol=https\\nhost=git.example.com\\n\\n' | git credential fill
        protocol=https
        host=git.example.com
        username=ada
        password=pw-of-ada
        $ lanyard import git-credentials --remove-plain-text
        import    2 new
        removed   'HOME/.git-credentials' with its 2 logins
        lanyard: warning: 'https://git.example.com' has 2 accounts ('ada', 'bob'): 'ada' answers, as before
        lanyard: hint: git uses another account if the URL names it: https://bob@git.example.com
        lanyard: warning: programs that read 'HOME/.git-credentials' no longer find these logins
        lanyard: hint: lanyard setup git
        lanyard: hint: backups, snapshots and editor copies may still have these passwords: change them
        $ lanyard setup git | grep '^ *+'
                  +[credential]
                  +    helper =
                  +    helper = BIN/git-credential-lanyard
        $ lanyard list --json | grep -o '"account":"[a-z]*"'
        "account":"ada"
        "account":"bob"
        $ printf 'protocol=https\\nhost=git.example.com\\n\\n' | git credential fill
        protocol=https
        host=git.example.com
        username=ada
        password=pw-of-ada
        $ printf 'url=https://bob@git.example.com/notes.git\\n\\n' | git credential fill
        protocol=https
        host=git.example.com
        username=bob
        password=pw-of-bob
        $ printf 'protocol=https\\nhost=git.example.com\\nusername=ada\\npassword=pw-of-ada\\n\\n' | git credential reject
        $ printf 'protocol=https\\nhost=git.example.com\\n\\n' | git credential fill
        protocol=https
        host=git.example.com
        username=bob
        password=pw-of-bob

        """

    @Test func twoAccounts() async throws {
        let home = try ScratchHome()
        try home.configureClients(.nothing)
        _ = try home.write("[credential]\n\thelper = store\n", to: "gitconfig", mode: 0o644)
        try home.writeAtHome(Self.file, to: ".git-credentials")
        let commands = Self.transcript.split(separator: "\n").filter { $0.hasPrefix("$ ") }
            .map { String($0.dropFirst(2)) }
        var shown = ""
        for command in commands {
            let outcome = try await home.command(
                "sh", ["-c", command], variables: home.toolVariables
            ).run()
            #expect(outcome.status == 0, "\(outcome)")
            shown += "$ \(command)\n\(outcome.outputText)\(outcome.errorText)"
        }
        let isTheSame =
            shown.replacing(home.folder, with: "HOME")
            .replacing(try Programs.folder(), with: "BIN") == Self.transcript
        #expect(isTheSame, "\(shown)")
    }
}
