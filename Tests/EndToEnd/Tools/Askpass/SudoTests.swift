import Glibc
import Testing
@testable import EndToEndRig

/// What askpass-lanyard answers real sudo: for users, with passwords, who are there for this test alone.
@Suite(.needs(.sudo), .timeLimit(.minutes(10)))
struct SudoTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Runs a script as Ada, who may use sudo; who uses it as Bob needs Bob's password.
    private func run(_ script: String, before: String = "") async throws -> Outcome {
        let programs = try home.copiesOfPrograms(["lanyard", "askpass-lanyard"])
        let own = try home.folder("ada", of: AnotherUser.firstAdded)
        let etc = try await home.copyOfEtc(
            adding: ["lanyard-ada": "hunter2", "lanyard-bob": "bilby"])
        let ada = """
            store() { printf %s "$2" | lanyard set --stdin --for askpass sudo "$1"; }
            \(script)
            """
        let root = """
            mount --bind "$1" /etc
            printf 'lanyard-ada ALL=(ALL) ALL\\nDefaults>lanyard-bob targetpw\\n' >/etc/sudoers.d/lanyard-test
            chmod 0440 /etc/sudoers.d/lanyard-test
            \(before)
            user=\(AnotherUser.firstAdded)
            setpriv --reuid="$user" --regid="$user" --clear-groups \
                env -i "PATH=$2:$PATH" HOME="$3" XDG_RUNTIME_DIR="$3" LANYARD_NO_PROMPT=1 \
                SUDO_ASKPASS="$2/askpass-lanyard" sh -euc "$4"
            """
        return try await home.command(
            "unshare", ["-m", "sh", "-euc", root, "sh", etc, programs, own, ada]
        ).run()
    }

    @Test func takesTheStoredPasswords() async throws {
        let outcome = try await run(
            """
            store lanyard-ada hunter2
            store lanyard-bob bilby
            sudo -k -A id -u
            sudo -k -A -u lanyard-bob id -un
            """)
        expectAnswer(outcome, "0\nlanyard-bob\n")
    }

    /// Also where there is no folder for what is remembered for a while.
    @Test(arguments: ["", "unset XDG_RUNTIME_DIR; "])
    func isGivenAWrongOneOnce(_ before: String) async throws {
        let outcome = try await run("\(before)store lanyard-ada wrong; sudo -k -A id -u")
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("Sorry, try again."), "\(outcome)")
        let refusals = outcome.errorText.matches(of: /the stored secret was rejected/).count
        #expect(refusals == 1, "\(outcome)")
    }

    @Test func whatIsNotStoredIsAnError() async throws {
        let outcome = try await run("sudo -k -A id -u")
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("no secret is stored for this"), "\(outcome)")
        #expect(
            outcome.errorText.contains("hint: lanyard set --for askpass sudo lanyard-ada"),
            "\(outcome)")
    }

    @Test func whileLocked() async throws {
        let outcome = try await run(
            """
            store lanyard-ada hunter2
            echo 'the passphrase' >"$HOME/passphrase"
            lanyard passphrase set --yes --new-passphrase-file "$HOME/passphrase"
            sudo -k -A id -u
            """)
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("the keychain 'login' is locked"), "\(outcome)")
    }

    /// sudo's question is in the user's language, but for a prompt that the setup chooses.
    @Test(.needs(.german)) func answersInGerman() async throws {
        let outcome = try await run(
            """
            export LANG=de_DE.UTF-8
            store lanyard-ada hunter2
            ! sudo -k -A id -u || exit 3
            lanyard setup askpass >/dev/null
            set -a; . "$HOME/.config/environment.d/60-lanyard-askpass.conf"
            sudo -k -A id -u
            """,
            before: """
                mount -t tmpfs x /usr/lib/locale
                localedef -i de_DE -f UTF-8 de_DE.UTF-8
                """)
        #expect(outcome.status == 0 && outcome.outputText == "0\n", "\(outcome)")
        #expect(
            outcome.errorText.contains("hint: export SUDO_PROMPT='[sudo] password for %p: '\n"),
            "\(outcome)")
    }
}

extension Need {
    fileprivate static let sudo = Need(
        missing: "there is no sudo, or no root to give a user a password for it"
    ) {
        try await succeeds("unshare", "-m", "sh", "-c", "sudo --version && openssl version")
    }

    fileprivate static let german = Need(missing: "there are no German locales, or sudo has none") {
        try await succeeds(
            "sh", "-c",
            "command -v localedef && cd /usr/share && cat i18n/locales/de_DE locale/de/LC_MESSAGES/sudoers.mo"
        )
    }
}
