import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// Keys in the kernel's real keyring: who sees an unlocked keychain, and until when.
@Suite(.needs(.keyrings), .timeLimit(.minutes(10)))
struct AutoLockTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        try await home.set("y", "--accessible", "ck", secret: "after first unlock")
        try await home.setPassphrase()
    }

    private func withKeys(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try await home.forgetKeys()
            throw error
        }
        try await home.forgetKeys()
    }

    @Test func itLocksByItself() async throws {
        try await withKeys {
            expectLocked(try await home.lanyard("get", "x"))
            let outcome = try await getsInTime()
            expectAnswer(outcome, "the secret\n")
            try await Task.sleep(for: .seconds(6))
            expectLocked(try await home.lanyard("get", "x"))
            #expect(try await home.lockState() == "locked")
            // What is readable after the first unlock stays so.
            expectAnswer(try await home.lanyard("get", "y"), "after first unlock\n")
            expectAnswer(try await home.lanyard("lock", "--all"), "")
            expectLocked(try await home.lanyard("get", "y"))
        }
    }

    /// Unlocks for five seconds and gets. On a busy machine a try can take longer than that, less one as
    /// the kernel counts whole seconds; another one is made then.
    private func getsInTime() async throws -> Outcome {
        let clock = ContinuousClock()
        while true {
            let start = clock.now
            try await home.unlock(timeout: "5s")
            let outcome = try await home.lanyard("get", "x")
            let status = try await home.json("status", "--json").elements[0].members
            let isInTime = clock.now - start < .seconds(4)
            guard isInTime else {
                continue
            }
            #expect(status["state"] == "unlocked")
            #expect([0, 1, 2, 3, 4, 5].contains(status["locks_in"]))
            return outcome
        }
    }

    @Test func lockTakesEffectAtOnceInEverySession() async throws {
        try await withKeys {
            try await home.unlock()
            func getInNewSession() async throws -> Outcome {
                let command = try home.command(
                    "keyctl", ["session", "-", "lanyard", "get", "x"])
                return try await command.run()
            }
            let seen = try await getInNewSession()
            #expect(seen.status == 0 && seen.outputText == "the secret\n", "\(seen)")
            expectAnswer(try await home.lanyard("lock"), "")
            expectLocked(try await home.lanyard("get", "x"))
            #expect(try await getInNewSession().status == 36)
            expectAnswer(try await home.lanyard("get", "y"), "after first unlock\n")
            // Once more is no error.
            expectAnswer(try await home.lanyard("lock"), "")
        }
    }

    @Test func autolockIsConfigured() async throws {
        try await withKeys {
            _ = try await home.shell(
                "mkdir -p -m 700 \"$LANYARD_HOME/config\"; "
                    + "printf '[lanyard]\\n autolock = 10m\\n' >\"$LANYARD_HOME/config/config\"")
            expectAnswer(try await home.lanyardUnlocked("unlock"), "")
            let locksIn = try await home.json("status", "--json").elements[0].members["locks_in"]
            guard case .number(let seconds)? = locksIn else {
                Issue.record("\(String(describing: locksIn))")
                return
            }
            #expect((500...600).contains(seconds))
            expectAnswer(try await home.lanyardUnlocked("unlock", "--timeout", "never"), "")
            let status = try await home.json("status", "--json").elements[0].members
            #expect(status["state"] == "unlocked")
            #expect(status["locks_in"] == nil as JSONText)
        }
    }

    @Test func withoutATimeItIsEightHours() async throws {
        try await withKeys {
            expectAnswer(try await home.lanyardUnlocked("unlock"), "")
            let status = try await home.json("status", "--json").elements[0].members
            guard case .number(let seconds)? = status["locks_in"] else {
                Issue.record("\(status)")
                return
            }
            #expect((28_700...28_800).contains(seconds))
        }
    }

    @Test(arguments: ["0", "-1", "1.5", "8 h", "4294967296", "3000000000", "x"])
    func noTime(text: String) async throws {
        let outcome = try await home.lanyardUnlocked("unlock", "--timeout=\(text)")
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: hint: for example 8h"), "\(outcome)")
        #expect(try await home.lockState() == "locked")
    }

    @Test(.needs(.root, .anotherUser)) func anotherUserDoesNotSeeIt() async throws {
        try await withKeys {
            try await home.unlock()
            // With all files at hand, but not root's keyring.
            let folder = try home.folderOfAnotherUser()
            try await home.shell(
                "cp -r \"$LANYARD_HOME/.\" \"$1\"; chown -R \"$2:$2\" \"$1\"", folder,
                "\(AnotherUser.id)")
            let copy = "\(home.path)/lanyard-copy"
            try await home.shell(
                "cp \"$(command -v lanyard)\" \"$1\"; chmod 755 \"$1\"", copy)
            let outcome = try await home.command(
                "setpriv", AnotherUser.arguments + [copy, "get", "x"],
                variables: ["LANYARD_HOME": folder]
            ).run()
            expectLocked(outcome)
        }
    }

    /// Only the kernel has what has to go. Each case makes the file unreadable, and mends it.
    @Test(
        .needs(.python),
        arguments: [
            ("mv \"$1\" \"$1.away\"", "mv \"$1.away\" \"$1\""),
            ("chmod 640 \"$1\"", "chmod 600 \"$1\""),
            (
                "cp -p \"$1\" \"$1.whole\"; printf xxxx | dd of=\"$1\" conv=notrunc status=none",
                "mv \"$1.whole\" \"$1\""
            ),
            // SQLite's byte of a writer that is about to commit.
            (
                """
                mkfifo "$1.held"
                python3 -c 'import fcntl, sys, time
                file = open(sys.argv[1], "r+b")
                fcntl.lockf(file, fcntl.LOCK_EX, 1, 1073741824)
                open(sys.argv[1] + ".held", "w").close()
                time.sleep(60)' "$1" & holder=$!
                : <"$1.held"
                """, "kill $holder; rm \"$1.held\""
            ),
        ]
    ) func lockNeedsNoFile(breaking: String, mending: String) async throws {
        try await withKeys {
            try await home.unlock()
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
            let outcome = try await home.shell(
                "\(breaking)\nlanyard lock 2>&1\n\(mending)", "\(home.lanyard)/data/login.keychain")
            #expect(outcome.outputText == "", "\(outcome)")
            expectLocked(try await home.lanyard("get", "x"))
        }
    }

    /// podman and buildah start the helper of docker in one, with a user keyring of its own.
    @Test(.needs(.userNamespaces)) func aUserNamespaceOfTheSameSessionSeesIt() async throws {
        try await withKeys {
            try await home.unlock()
            // What pam_keyinit does at a login.
            func get(_ session: String) async throws -> Outcome {
                try await home.command(
                    "keyctl",
                    ["session", "-", "sh", "-ec", "\(session); exec unshare -U -r lanyard get x"]
                ).run()
            }
            let seen = try await get("keyctl link @u @s")
            #expect(seen.status == 0 && seen.outputText == "the secret\n", "\(seen)")
            #expect(try await get("true").status == 36)
            expectAnswer(try await home.lanyard("lock"), "")
            #expect(try await get("keyctl link @u @s").status == 36)
        }
    }

    /// A container of the same user that has the keychain, but not the machine key.
    @Test(.needs(.root, .mounts)) func aContainerOfTheSameUserDoesNotSeeIt() async throws {
        try await withKeys {
            try await home.unlock()
            let script = """
                keyctl search @u user "$(keyctl rlist @u | tr ' ' '\\n' | while read -r key; do
                    keyctl rdescribe "$key" | grep -o 'lanyard:.*:unlocked$' && break
                done)" >/dev/null && echo has the key
                mount -t tmpfs -o mode=700 tmpfs "$LANYARD_HOME/state"
                lanyard get x
                """
            let outcome = try await home.command(
                "unshare",
                ["-m", "-p", "-n", "-i", "-f", "--propagation", "private", "sh", "-c", script]
            ).run()
            #expect(outcome.outputText == "has the key\n", "\(outcome)")
            // The passphrase alone would not open it there either.
            #expect(outcome.status == 51, "\(outcome)")
            #expect(outcome.errorText.contains("machine-key' is missing"), "\(outcome)")
        }
    }
}
