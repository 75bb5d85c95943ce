import Testing
@testable import EndToEndRig

/// A container whose kernel refuses keyrings, as docker's default does: a filter of system calls
/// answers EPERM.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct RefusedKeyringTests {
    let home: ScratchHome

    private static let refusal =
        "the kernel stores no keys for this user here (not permitted)"
    private var given: [String: String?] {
        ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"]
    }

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        try await home.store("protocol=https\nhost=a.example\nusername=ada\npassword=pw\n")
        try await home.setPassphrase()
    }

    /// What the filter refuses.
    private enum Calls: String {
        /// add_key, request_key and keyctl.
        case keys = "{'x86_64': (248, 3), 'aarch64': (217, 3)}"
        /// memfd_create.
        case memoryFiles = "{'x86_64': (319, 1), 'aarch64': (279, 1)}"
    }

    /// Runs a program that gets EPERM of some calls.
    private func refused(
        _ arguments: String..., input: String = "", variables: [String: String?] = [:],
        calls: Calls = .keys
    ) async throws -> Outcome {
        let script = """
            import ctypes, os, platform, struct, sys
            first, count = \(calls.rawValue)[platform.machine()]
            def step(code, yes, no, value):
                return struct.pack("HBBI", code, yes, no, value)
            # The number of the call; below, above, or one of them: SECCOMP_RET_ERRNO | EPERM.
            steps = [step(0x20, 0, 0, 0), step(0x35, 0, 2, first), step(0x25, 1, 0, first + count - 1),
                     step(0x06, 0, 0, 0x00050001), step(0x06, 0, 0, 0x7fff0000)]
            code = ctypes.create_string_buffer(b"".join(steps))
            program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
            libc = ctypes.CDLL(None, use_errno=True)
            assert libc.prctl(38, 1, 0, 0, 0) == 0
            assert libc.prctl(22, 2, program, 0, 0) == 0, os.strerror(ctypes.get_errno())
            os.execvp(sys.argv[1], sys.argv[1:])
            """
        return try await home.command(
            "python3", ["-c", script] + arguments, input: Array(input.utf8), variables: variables
        ).run()
    }

    @Test func whatIsGivenWorks() async throws {
        let helper = try await refused(
            "git-credential-lanyard", "get", input: "protocol=https\nhost=a.example\n",
            variables: given)
        expectAnswer(helper, "username=ada\npassword=pw\n")
        // A file unlocks one program alone, so nothing is lost.
        let command = try await refused("lanyard", "get", "x", variables: given)
        expectAnswer(command, "the secret\n")
        let environment = try await refused(
            "lanyard", "exec", "--env", "S=x", "--", "sh", "-c", "echo $S", variables: given)
        expectAnswer(environment, "the secret\n")
    }

    @Test func withoutFilesInMemoryAVariableDoes() async throws {
        let outcome = try await refused(
            "lanyard", "exec", "--file", "F=x", "--", "true", variables: given, calls: .memoryFiles)
        #expect(
            outcome.errorText == """
                lanyard: error: can't make a file in memory: Operation not permitted
                lanyard: hint: lanyard exec --env needs no file

                """, "\(outcome)")
    }

    @Test func doctorNamesTheCause() async throws {
        let doctor = try Doctor(try await refused("lanyard", "doctor", "--json"))
        #expect(doctor.codes.contains("keyring-refused"), "\(doctor)")
        // To unlock it would have no effect on the next program.
        #expect(doctor.codes.contains("keychain-locked"), "\(doctor)")
        #expect(doctor.commands("keychain-locked") == [], "\(doctor)")
        let served = try Doctor(
            try await refused("lanyard", "doctor", "--json", variables: given))
        let codes = Set(served.codes)
        #expect(codes.isDisjoint(with: ["keyring-refused", "keychain-locked"]), "\(served)")
    }

    @Test func whoIsLockedOutIsToldWhatHelps() async throws {
        let outcome = try await refused("lanyard", "get", "x")
        #expect(outcome.status == 36 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: the keychain 'login' is locked, lanyard can't prompt here, and \
                \(Self.refusal)
                lanyard: hint: set LANYARD_PASSPHRASE_FILE to a file with the passphrase

                """, "\(outcome)")
    }

    @Test func unlockingForAllFails() async throws {
        let outcome = try await refused("lanyard", "unlock", variables: given)
        #expect(outcome.status == 53, "\(outcome)")
        let text = """
            lanyard: error: \(Self.refusal)
            lanyard: hint: programs that get LANYARD_PASSPHRASE_FILE need no lanyard unlock

            """
        #expect(outcome.errorText == text, "\(outcome)")
        let piped = try await refused("lanyard", "unlock", "--stdin", input: "the passphrase\n")
        #expect(piped.status == 53 && piped.errorText == text, "\(piped)")
        let status = try await refused("lanyard", "status")
        #expect(status.outputText.hasSuffix("one program only: \(Self.refusal)\n"), "\(status)")
        #expect(try await refused("lanyard", "lock").status == 53)
    }

    @Test func aPersonsAnswerIsForOneProgram() async throws {
        let askpass = try home.write("#!/bin/sh\necho the passphrase\n", to: "askpass", mode: 0o700)
        let outcome = try await refused(
            "setsid", "-w", "git-credential-lanyard", "get",
            input: "protocol=https\nhost=a.example\n", variables: ["LANYARD_ASKPASS": askpass])
        #expect(outcome.outputText == "username=ada\npassword=pw\n", "\(outcome)")
        #expect(
            outcome.errorText
                == "lanyard: warning: the keychain 'login' is unlocked for this program only: "
                + "\(Self.refusal)\n")
        #expect(try await home.lockState() == "locked")
    }
}
