import Testing

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

    /// Runs a program that gets EPERM of add_key, request_key and keyctl.
    private func refused(
        _ arguments: String..., input: String = "", variables: [String: String?] = [:]
    ) async throws -> Outcome {
        let script = """
            import ctypes, os, platform, struct, sys
            first = {"x86_64": 248, "aarch64": 217}[platform.machine()]
            def step(code, yes, no, value):
                return struct.pack("HBBI", code, yes, no, value)
            # The number of the call; below, above, or one of the three: SECCOMP_RET_ERRNO | EPERM.
            steps = [step(0x20, 0, 0, 0), step(0x35, 0, 2, first), step(0x25, 1, 0, first + 2),
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
        // The command says once why the next one has to be given it again.
        let command = try await refused("lanyard", "get", "x", variables: given)
        #expect(command.status == 0 && command.outputText == "the secret\n", "\(command)")
        #expect(
            command.errorText
                == "lanyard: warning: the keychain 'login' is unlocked for this program only: "
                + "\(Self.refusal)\n")
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
        #expect(outcome.errorText.hasPrefix("lanyard: error: \(Self.refusal)\n"), "\(outcome)")
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
