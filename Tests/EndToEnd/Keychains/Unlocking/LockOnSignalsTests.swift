#if SecretService
import Testing
@testable import EndToEndRig

/// Keychains lock when the machine sleeps and when the screen locks, if their settings say so.
@Suite(.needs(.keyrings, .plugin, MockLogind.need), .timeLimit(.minutes(10)))
struct LockOnSignalsTests {
    let home: ScratchHome

    /// Two unlocked keychains: `login` locks on sleep, `work` with the screen.
    init() async throws {
        home = try ScratchHome()
        let passphrase = try home.write("the passphrase\n", to: "passphrase")
        try await home.shell(
            """
            lanyard keychain create work
            for name in login work; do
                echo secret | lanyard set --keychain $name --stdin x
                lanyard passphrase set --keychain $name --new-passphrase-file "$1"
            done
            lanyard keychain settings --lock-on-sleep yes login 2>/dev/null
            lanyard keychain settings --lock-on-screen-lock yes work 2>/dev/null
            """, passphrase)
    }

    private func whileUnlocked(_ script: String) async throws {
        try await home.forgettingKeys {
            for name in ["login", "work"] {
                _ = try await home.lanyardUnlocked("unlock", "--keychain", name)
            }
            try await MockLogind(home: home).run(
                "expect eval '! is_locked login && ! is_locked work'\n\(script)")
        }
    }

    @Test func theMachineSleepsWhenTheKeychainIsLocked() async throws {
        try await whileUnlocked(
            """
            tell sleep
            await released
            expect is_locked login
            expect eval '! is_locked work'
            tell wake
            await delayed
            LANYARD_PASSPHRASE_FILE="$HOME/../passphrase" lanyard unlock
            expect eval '! is_locked login'
            tell sleep
            await released
            expect is_locked login
            """)
    }

    /// `loginctl lock-session` sends one signal, and a desktop that has locked the screen another one.
    @Test(arguments: ["lock ours", "LockedHint ours true"])
    func theScreenLocksTheKeychain(_ signal: String) async throws {
        try await whileUnlocked(
            """
            tell '\(signal)'
            for _ in $(seq 100); do
                ! is_locked work || break
                sleep 0.1
            done
            expect is_locked work
            expect eval '! is_locked login'
            """)
    }

    @Test(arguments: ["lock theirs", "LockedHint theirs true"])
    func anotherUsersScreenDoesNot(_ signal: String) async throws {
        try await whileUnlocked(
            """
            tell '\(signal)'
            await asked
            tell wake
            await delayed
            expect eval '! is_locked work && ! is_locked login'
            """)
    }

    /// What the program does is in the order of the signals.
    @Test(arguments: ["LockedHint ours false", "IdleHint ours true"])
    func otherChangesDoNot(_ signal: String) async throws {
        try await whileUnlocked(
            """
            tell '\(signal)'
            tell wake
            await delayed
            expect eval '! is_locked work && ! is_locked login'
            """)
    }

    @Test func settingsNeedNoRestart() async throws {
        try await whileUnlocked(
            """
            lanyard keychain settings --lock-on-sleep no login
            lanyard keychain settings --lock-on-sleep yes work 2>/dev/null
            tell sleep
            await released
            expect is_locked work
            expect eval '! is_locked login'
            """)
    }

    @Test func itEndsWithTheBus() async throws {
        try await whileUnlocked(
            """
            kill $bus
            status=0
            wait $waiting || status=$?
            expect [ $status = 1 ]
            await 'lanyard: error: the system bus has ended'
            """)
    }

    @Test func withoutABusItFails() async throws {
        let outcome = try await home.command(
            "lanyard-keychain-secret-service", ["--lock-on-signals"],
            variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.path)/none"]
        ).run()
        #expect(outcome.status == 1)
        #expect(outcome.errorText == "lanyard: error: the system bus can't be reached\n")
    }
}
#endif
