import Glibc
import Testing

/// What askpass-lanyard answers real sudo: for a user, with a password, who is there for this test alone.
@Suite(.needs(.sudo), .timeLimit(.minutes(10)))
struct SudoTests {
    /// A number that no user has, on any machine.
    private static let user: uid_t = 64_711

    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Runs a script as the user, whose password is hunter2, with a secret that was stored for sudo.
    private func run(stored secret: String) async throws -> Outcome {
        let programs = try home.copiesOfPrograms(["lanyard", "askpass-lanyard"])
        let own = try home.folder("ada", of: SudoTests.user)
        let script = """
            cp -a /etc "$1/etc"
            mount --bind "$1/etc" /etc
            echo 'lanyard-test:x:\(SudoTests.user):\(SudoTests.user)::/:/bin/sh' >>/etc/passwd
            echo "lanyard-test:$(openssl passwd -6 hunter2):20000:0:99999:7:::" >>/etc/shadow
            echo 'lanyard-test ALL=(ALL) ALL' >/etc/sudoers.d/lanyard-test
            chmod 0440 /etc/sudoers.d/lanyard-test
            setpriv --reuid=\(SudoTests.user) --regid=\(SudoTests.user) --clear-groups \
                env -i "PATH=$2:$PATH" HOME="$3" XDG_RUNTIME_DIR="$3" LANYARD_NO_PROMPT=1 \
                SUDO_ASKPASS="$2/askpass-lanyard" sh -euc '
                    printf %s "$1" | lanyard set --stdin --for askpass sudo lanyard-test
                    sudo -A id -u
                ' sh "$4"
            """
        return try await home.command(
            "unshare", ["-m", "sh", "-euc", script, "sh", home.path, programs, own, secret]
        ).run()
    }

    @Test func takesTheStoredPassword() async throws {
        let outcome = try await run(stored: "hunter2")
        expectAnswer(outcome, "0\n")
    }

    @Test func isGivenAWrongOneOnce() async throws {
        let outcome = try await run(stored: "wrong")
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("Sorry, try again."), "\(outcome)")
        let refusals = outcome.errorText.matches(of: /the stored secret was rejected/).count
        #expect(refusals == 1, "\(outcome)")
    }
}

extension Need {
    fileprivate static let sudo = Need(
        missing: "there is no sudo, or no root to give a user a password for it"
    ) {
        try await succeeds("unshare", "-m", "sh", "-c", "sudo --version && openssl version")
    }
}
