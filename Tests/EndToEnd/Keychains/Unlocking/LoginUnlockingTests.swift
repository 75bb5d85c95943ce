import Foundation
import Testing
@testable import EndToEndRig

/// The program that PAM starts at a login, without PAM: Tests/Packages/unlock-at-login has the real one.
@Suite(.needs(.keyrings), .timeLimit(.minutes(10)))
struct LoginUnlockingTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
    }

    /// Runs a step of a login, which must be silent whatever it does.
    private func step(
        _ type: String, password: String = "", service: String = "login", user: String? = nil,
        arguments: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let name = try await home.succeeds("id", "-un").outputText.trimmingPrefix { $0 == " " }
        let outcome = try await home.command(
            "lanyard-pam", arguments, input: Array(password.utf8),
            variables: [
                "PAM_TYPE": type, "PAM_SERVICE": service,
                "PAM_USER": user ?? String(name.prefix { $0 != "\n" }),
            ]
        ).run()
        expectAnswer(outcome, "", sourceLocation: sourceLocation)
    }

    /// Logs in until the keychain is unlocked: where many tests run, five seconds may be too few.
    private func logIn(service: String = "login", arguments: [String] = []) async throws {
        for _ in 1...20 {
            try await step(
                "auth", password: "the passphrase", service: service, arguments: arguments)
            expectLocked(try await home.lanyard("get", "x"))
            try await step("open_session", service: service, arguments: arguments)
            if try await home.lockState() == "unlocked" {
                return
            }
        }
        Issue.record("the keychain stays locked")
    }

    private func withLockedKeychain(_ body: () async throws -> Void) async throws {
        try await home.set("x", secret: "the secret")
        try await home.setPassphrase()
        try await home.forgettingKeys {
            try await home.forgetKeys()
            try await body()
        }
    }

    @Test func passwordAndSessionUnlockItTogether() async throws {
        try await withLockedKeychain {
            try await logIn()
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
            // What is unlocked already costs nothing.
            try await step("auth", password: "the passphrase")
            try await step("close_session")
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
        }
    }

    @Test(arguments: ["another password", "", "the passphrase\n\n", "the passphrase "])
    func anotherPasswordDoesNot(_ password: String) async throws {
        try await withLockedKeychain {
            try await step("auth", password: password)
            try await step("open_session")
            expectLocked(try await home.lanyard("get", "x"))
        }
    }

    @Test func otherServicesDoNotUnlessNamed() async throws {
        try await withLockedKeychain {
            for service in ["sudo", "swaylock", "su", "other", "dovecot", ""] {
                try await step("auth", password: "the passphrase", service: service)
                try await step("open_session", service: service)
            }
            // A session of a login that had no password, after one of another program.
            try await step("open_session")
            expectLocked(try await home.lanyard("get", "x"))
            try await logIn(
                service: "a-display-manager", arguments: ["--service", "a-display-manager"])
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
        }
    }

    @Test func unknownUsersAreIgnored() async throws {
        try await withLockedKeychain {
            for user in ["no-such-user", "root:x:0", "+", "", "\u{e9}"] {
                try await step("auth", password: "the passphrase", user: user)
                try await step("open_session", user: user)
            }
            expectLocked(try await home.lanyard("get", "x"))
        }
    }

    @Test func withoutAKeychainItMakesNone() async throws {
        try await step("auth", password: "the passphrase")
        try await step("open_session")
        #expect(!FileManager.default.fileExists(atPath: home.lanyard))
    }

    @Test func aKeychainWithoutAPassphraseStaysAsItIs() async throws {
        try await home.set("x", secret: "the secret")
        let before = try Snapshot(home.lanyard)
        try await step("auth", password: "the passphrase")
        try await step("open_session")
        #expect(try Snapshot(home.lanyard).entries == before.entries)
    }

    /// An invalid configuration, a damaged keychain and a missing machine key fail no login.
    @Test(arguments: [
        "mkdir -p -m 700 \"$LANYARD_HOME/config\"; printf '[lanyard' >\"$LANYARD_HOME/config/config\"",
        "printf garbage >\"$LANYARD_HOME/data/login.keychain\"",
        "rm \"$LANYARD_HOME/state/machine-key\"",
        "rm \"$LANYARD_HOME/data/login.keychain\"",
    ])
    func damageIsSilent(_ damage: String) async throws {
        try await home.set("x", secret: "the secret")
        try await home.setPassphrase()
        try await home.forgetKeys()
        try await home.shell(damage)
        let before = try Snapshot(home.lanyard)
        try await step("auth", password: "the passphrase")
        try await step("open_session")
        #expect(try Snapshot(home.lanyard).entries == before.entries)
    }

    /// A password that never arrives holds up a login for five seconds.
    @Test func aPasswordThatDoesNotArriveEndsIt() async throws {
        try await withLockedKeychain {
            let start = ContinuousClock.now
            try await home.shell(
                """
                mkfifo "$HOME/password"
                PAM_TYPE=auth PAM_SERVICE=login PAM_USER="$(id -un)" lanyard-pam <>"$HOME/password"
                """, timeLimit: .seconds(60))
            #expect(ContinuousClock.now - start >= .seconds(4))
        }
    }

    /// The user can stop what has the rights of the user.
    @Test func aStoppedProcessEndsIt() async throws {
        try await withLockedKeychain {
            try await home.shell(
                """
                mkfifo "$HOME/password"
                PAM_TYPE=auth PAM_SERVICE=login PAM_USER="$(id -un)" \\
                    timeout 30 lanyard-pam <>"$HOME/password" & login=$!
                until worker=$(pgrep -P "$(pgrep -P "$login")"); do
                    kill -0 "$login"
                    sleep 0.02
                done
                kill -STOP "$worker"
                wait "$login"
                # No one waits for it any more.
                until state=$(cut -d " " -f 3 "/proc/$worker/stat" 2>/dev/null); [ "${state:-Z}" = Z ]; do
                    sleep 0.02
                done
                """, timeLimit: .seconds(60))
        }
    }

    @Test func onlyPAMStartsIt() async throws {
        let outcome = try await home.command("lanyard-pam", []).run()
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText == """
                lanyard: error: only pam_exec starts lanyard-pam, when a user logs in
                lanyard: hint: lanyard-pam --help

                """)
    }
}
