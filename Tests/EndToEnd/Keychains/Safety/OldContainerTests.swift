import Foundation
import Testing
@testable import EndToEndRig

/// The filter of docker before 20.10.10 refuses system calls that it does not know with EPERM instead of ENOSYS, and
/// glibc then has no other way.
@Suite(.needs(.git, .systemPython), .timeLimit(.minutes(10)))
struct OldContainerTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.setToolsUp()
    }

    /// Refuses clone3 and faccessat2, and runs a program.
    private static let filter = """
        import ctypes, os, struct, sys
        def step(code, yes, no, value):
            return struct.pack("HBBI", code, yes, no, value)
        steps = [
            step(0x20, 0, 0, 0),  # load the number of the call
            step(0x15, 1, 0, 435), step(0x15, 0, 1, 439),  # clone3, faccessat2
            step(0x06, 0, 0, 0x00050001),  # EPERM
            step(0x06, 0, 0, 0x7FFF0000),
        ]
        program = ctypes.create_string_buffer(b"".join(steps))
        filter = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program))
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
        held = ctypes.create_string_buffer(filter)
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.addressof(held), 0, 0) == 0
        try:
            assert not os.access("/", os.R_OK, effective_ids=True)
        except PermissionError:
            pass
        os.execvp(sys.argv[1], sys.argv[1:])
        """

    private func run(_ arguments: String...) async throws -> Outcome {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        return try await home.inRepository(
            "exec /usr/bin/python3 -c \"$1\" \(words)", Self.filter)
    }

    @Test func programsAreFoundAndStarted() async throws {
        let doctor = try Doctor(try await run("lanyard", "doctor", "--json"))
        #expect(doctor.codes == [], "\(doctor)")
        let setup = try await run("lanyard", "setup", "--yes")
        #expect(setup.outputText.contains("ok        git works with a trial login"), "\(setup)")
        let exec = try await run(
            "lanyard", "exec", "--env", "X=https://a.example", "--", "sh", "-c", "echo $X")
        expectAnswer(exec, "pw\n")
        let missing = try await run("lanyard", "exec", "--", "/nowhere/program")
        #expect(missing.status == 127, "\(missing)")
    }
}
