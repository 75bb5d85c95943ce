import Testing
@testable import EndToEndRig

/// Another program's prompt keeps no program waiting that would not prompt itself.
@Suite(.needs(.flock), .timeLimit(.minutes(10)))
struct OtherPromptTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        try await home.setPassphrase()
    }

    /// Runs a script while a question is open, which is a lock on the machine key's file.
    private func duringAQuestion(_ script: String) async throws -> Outcome {
        try await home.command(
            "setsid", ["-w", "flock", home.machineKey, "sh", "-c", script],
            variables: ["PASSPHRASE": "\(home.path)/passphrase"]
        ).run()
    }

    @Test(arguments: ["LANYARD_NO_PROMPT=1 lanyard get x", "lanyard get x </dev/null"])
    func programsWithoutPrompts(script: String) async throws {
        expectLocked(try await duringAQuestion(script))
    }

    @Test func whoWasGivenThePassphrase() async throws {
        let outcome = try await duringAQuestion(
            """
            export LANYARD_PASSPHRASE_FILE=$PASSPHRASE
            lanyard get x
            lanyard unlock
            lanyard passphrase change --new-passphrase-file "$PASSPHRASE"
            lanyard get x
            """)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText == "the secret\nthe secret\n", "\(outcome)")
        // It was unlocked for all programs, not only for those with the file.
        let note = "lanyard: the keychain 'login' is locked now; lanyard unlock unlocks it\n"
        #expect(outcome.errorText == note, "\(outcome)")
        try await home.forgetKeys()
    }

    /// The user may not see the other question: `lanyard unlock` asks at once, and a program that waits goes on once the
    /// keychain is unlocked.
    @Test(
        .needs(.keyrings),
        arguments: [
            "LANYARD_ASKPASS=${PASSPHRASE%/*}/answer lanyard unlock",
            "lanyard unlock --stdin <\"$PASSPHRASE\"",
        ])
    func unlockingNeedsNoTurn(unlock: String) async throws {
        _ = try home.write("#!/bin/sh\necho the passphrase\n", to: "answer", mode: 0o700)
        let asked = try home.write("#!/bin/sh\n: >asked\n", to: "ask", mode: 0o700)
        let outcome = try await duringAQuestion(
            """
            cd
            LANYARD_ASKPASS=\(asked) lanyard get x 2>said &
            for attempt in $(seq 400); do [ ! -s said ] || break; sleep 0.05; done
            \(unlock)
            wait "$!" || echo "$?"
            [ ! -e asked ] || echo asked
            """)
        #expect(outcome.status == 0 && outcome.outputText == "the secret\n", "\(outcome)")
        #expect(outcome.errorText == "", "\(outcome)")
        try await home.forgetKeys()
    }

    /// A program that would prompt waits, and says for what; a helper, too.
    @Test(arguments: [
        ("lanyard get x", "the secret\n"),
        (
            "printf 'protocol=https\\nhost=a.example\\n' | git-credential-lanyard get",
            "username=ada\npassword=pw\n"
        ),
    ])
    func whoWouldAskIsTold(program: String, answer: String) async throws {
        let login = "protocol=https\nhost=a.example\nusername=ada\npassword=pw\n"
        let stored = try await home.helper(
            "store", input: login,
            variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"])
        expectAnswer(stored, "")
        let askpass = try home.write("#!/bin/sh\necho the passphrase\n", to: "askpass", mode: 0o700)
        let outcome = try await home.command(
            "setsid",
            [
                "-w", "sh", "-c",
                """
                cd
                flock "$1" sh -c '
                : >held
                for attempt in $(seq 400); do [ ! -s said ] || break; sleep 0.05; done' &
                for attempt in $(seq 400); do [ ! -e held ] || break; sleep 0.05; done
                \(program) 2>said || echo "$?"
                cat said >&2
                """, "sh", home.machineKey,
            ], variables: ["LANYARD_ASKPASS": askpass]
        ).run()
        #expect(outcome.status == 0 && outcome.outputText == answer, "\(outcome)")
        #expect(
            outcome.errorText.wholeMatch(
                of:
                    /lanyard: hint: flock \(process \d+\) is asking for the passphrase: answer it there, or run lanyard unlock\n/
            ) != nil, "\(outcome)")
        try await home.forgetKeys()
    }
}
