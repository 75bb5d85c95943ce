#if SecretService
import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// What other services' own tests hold them to.
@Suite(.timeLimit(.minutes(5)), .needs(.privateBus, .pythonBus))
struct SpecificationTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func expectAll(_ cases: String, _ variables: [String: String?] = [:]) async throws {
        let file = "\(Repository.path)/Tests/EndToEnd/BusClients/specification.py"
        let outcome = try await home.command(
            "lanyard", ["exec", "--secret-service", "--", "/usr/bin/python3", "-B", file, cases],
            variables: variables
        ).run()
        #expect(outcome.status == 0 && outcome.errorText.hasSuffix("OK\n"), "\(outcome)")
    }

    @Test func unlockedCollections() async throws {
        try await expectAll("Unlocked")
    }

    @Test(.needs(.keyrings)) func lockedCollections() async throws {
        try await expectAllWithPassphrase("Locked")
    }

    /// A scripted pinentry answers as the cases tell it.
    @Test(.needs(.keyrings)) func collectionsThatTheUserUnlocks() async throws {
        let folder = "\(home.path)/questions"
        for folder in [folder, "\(home.path)/bin"] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
        }
        _ = try home.write(
            #"""
            #!/bin/sh
            PATH=/usr/bin:/bin
            cd "$LANYARD_SPECIFICATION_QUESTIONS" || exit 1
            echo OK
            while read -r line; do
                case $line in
                SETDESC* | SETERROR*) text="$text $line" ;;
                GETPIN | CONFIRM*)
                    echo "$$ $line$text" >>questions
                    text=
                    until mv answer "answer.$$" 2>/dev/null; do sleep 0.02; done
                    cat "answer.$$"
                    continue ;;
                esac
                echo OK
                [ "$line" != BYE ] || exit 0
            done
            """#, to: "bin/pinentry", mode: 0o700)
        try await expectAllWithPassphrase(
            "Asked",
            [
                "LANYARD_SPECIFICATION_QUESTIONS": folder,
                "PATH": "\(home.path)/bin:\(try home.environment()["PATH"] ?? "")",
                // No window is opened: the script is the pinentry.
                "DISPLAY": ":no-such-display",
            ])
    }

    private func expectAllWithPassphrase(
        _ cases: String, _ variables: [String: String?] = [:]
    ) async throws {
        let passphrase = try home.write("a long passphrase\n", to: "passphrase")
        expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
        let set = try await home.lanyard(
            "passphrase", "set", "--yes", "--keychain", "work", "--new-passphrase-file",
            passphrase)
        #expect(set.status == 0, "\(set)")
        try await expectAll(
            cases,
            variables.merging(["LANYARD_SPECIFICATION_PASSPHRASE": passphrase]) { $1 })
        let lock = try await home.lanyard("lock", "--keychain", "work")
        #expect(lock.status == 0, "\(lock)")
    }
}

extension Need {
    fileprivate static let pythonBus = Need(
        missing: "there is no D-Bus, GLib or cryptography for Python"
    ) {
        try await succeeds(
            "/usr/bin/python3", "-c", "import dbus, cryptography; from gi.repository import GLib")
    }
}
#endif
