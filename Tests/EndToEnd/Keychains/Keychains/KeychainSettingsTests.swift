import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard keychain settings`, and what the settings do.
@Suite(.timeLimit(.minutes(10)))
struct KeychainSettingsTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
    }

    private func settings(_ arguments: String...) async throws -> Outcome {
        try await home.command("lanyard", ["keychain", "settings"] + arguments).run()
    }

    @Test func theyArePrintedAndSet() async throws {
        expectAnswer(
            try await settings("work"),
            "lock after           8h\nlock on sleep        no\nlock on screen lock  no\n")
        expectAnswer(try await settings("--lock-after", "90m", "work"), "")
        expectAnswer(
            try await settings("--json", "work"),
            #"{"lock_after":5400,"lock_on_sleep":false,"lock_on_screen_lock":false}"# + "\n")
        let hinted = try await settings(
            "--lock-after", "never", "--lock-on-sleep", "yes", "--lock-on-screen-lock", "yes",
            "work")
        #expect(hinted.status == 0 && hinted.output.isEmpty, "\(hinted)")
        #expect(
            hinted.errorText
                == "lanyard: hint: a service of the desktop does that: "
                + (FileManager.default.fileExists(atPath: "/run/systemd/system")
                    ? "systemctl --user enable --now lanyard-lock.service\n"
                    : "start lanyard-keychain-secret-service --lock-on-signals with it\n"))
        expectAnswer(
            try await settings("work"),
            "lock after           never\nlock on sleep        yes\nlock on screen lock  yes\n")
        expectAnswer(
            try await settings("--lock-on-sleep", "no", "--json", "work"),
            #"{"lock_after":null,"lock_on_sleep":false,"lock_on_screen_lock":true}"# + "\n")
        let listed = try await home.lanyard("config").outputText
        #expect(listed.contains(#/keychain\.work\.lockOnScreenLock +true /#), "\(listed)")
        expectAnswer(try await home.lanyard("config", "get", "keychain.work.autolock"), "never\n")
        // Each keychain has its own.
        expectAnswer(
            try await settings("login"),
            "lock after           8h\nlock on sleep        no\nlock on screen lock  no\n")
    }

    @Test func invalidOnesAreRefused() async throws {
        let before = try Snapshot(home.lanyard)
        for (arguments, reason) in [
            (["--lock-after", "soon", "work"], "'soon' is not a duration"),
            (["none"], "keychain 'none' not found"),
            (["secret-service"], "is a keychain of kind 'secret-service', not a sealed file"),
        ] {
            let outcome = try await home.command("lanyard", ["keychain", "settings"] + arguments)
                .run()
            #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errorText.contains(reason), "\(outcome)")
        }
        let outcome = try await settings("--lock-on-sleep", "maybe", "work")
        #expect(outcome.status == 64, "\(outcome)")
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
    }

    @Test(.needs(.keyrings)) func theTimeOfAKeychainCounts() async throws {
        try await home.set("x", secret: "the secret")
        try await home.setPassphrase()
        _ = try await settings("--lock-after", "2m", "login")
        try await home.forgettingKeys {
            expectAnswer(try await home.lanyardUnlocked("unlock"), "")
            let locksIn = try await home.json("status", "--json").elements[0].members["locks_in"]
            guard case .number(let seconds)? = locksIn else {
                Issue.record("\(String(describing: locksIn))")
                return
            }
            #expect((1...120).contains(seconds))
        }
    }

    @Test(.needs(.keyrings)) func anEventLocksWhatWantsIt() async throws {
        try await home.set("x", secret: "the secret")
        try await home.setPassphrase()
        try await home.forgettingKeys {
            try await home.unlock()
            expectAnswer(try await home.lanyard("lock", "--on", "sleep"), "")
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
            _ = try await settings("--lock-on-sleep", "yes", "login")
            expectAnswer(try await home.lanyard("lock", "--on", "screen-lock"), "")
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
            expectAnswer(try await home.lanyard("lock", "--on", "sleep"), "")
            expectLocked(try await home.lanyard("get", "x"))
        }
        let both = try await home.lanyard("lock", "--on", "sleep", "--all")
        #expect(both.status == 64, "\(both)")
    }
}
