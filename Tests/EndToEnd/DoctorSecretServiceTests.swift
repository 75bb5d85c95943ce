#if SecretService
import SecretServiceRig
import Testing

/// `lanyard doctor` where a desktop's Secret Service is what is wrong.
@Suite(.needs(.plugin, .gnomeKeyring), .serialized, .timeLimit(.minutes(10)))
struct DoctorSecretServiceTests {
    private let locked = "secret-service-locked"
    private let unreachable = "secret-service-unreachable"

    /// What doctor says once it says, or no longer says, that something is so: on a busy machine a daemon
    /// may take longer for an answer than doctor waits for it.
    private func doctor(
        _ desktop: DesktopSession, until code: String, isThere: Bool
    ) async throws -> Doctor {
        for _ in 0..<20 {
            let doctor = try Doctor(try await desktop.run("lanyard", "doctor", "--json"))
            if doctor.codes.contains(code) == isThere {
                return doctor
            }
            try await Task.sleep(for: .milliseconds(500))
        }
        return try Doctor(try await desktop.run("lanyard", "doctor", "--json"))
    }

    /// A session in which the Secret Service has a login.
    private func sessionInUse() async throws -> DesktopSession {
        let desktop = try DesktopSession()
        try await desktop.expect("lanyard", "set", "x", "--stdin", input: "s")
        #expect(try await desktop.keychains() == ["secret-service"])
        let doctor = try await doctor(desktop, until: unreachable, isThere: false)
        #expect(!doctor.codes.contains(unreachable) && !doctor.codes.contains(locked), "\(doctor)")
        return desktop
    }

    @Test func aLockedOneIsNamedUntilItIsUnlocked() async throws {
        let desktop = try await sessionInUse()
        desktop.service.killDaemon()
        try desktop.service.start(.locked)
        let before = try await doctor(desktop, until: locked, isThere: true)
        let finding = try #require(before.findings.first { $0.code == locked }, "\(before)")
        #expect(finding.severity == "warning" && finding.advice == "unlock it on the desktop")
        #expect(!before.codes.contains(unreachable), "\(before)")

        desktop.service.killDaemon()
        try desktop.service.start(.unlocked)
        let after = try await doctor(desktop, until: locked, isThere: false)
        #expect(!after.codes.contains(locked) && !after.codes.contains(unreachable), "\(after)")
        try await desktop.expect("lanyard", "get", "x", answer: "s\n")
    }

    @Test func oneThatIsGoneIsNamedUntilItIsBack() async throws {
        let desktop = try await sessionInUse()
        desktop.service.killDaemon()
        let before = try await doctor(desktop, until: unreachable, isThere: true)
        #expect(before.codes.contains(unreachable), "\(before)")

        // That it was not there a moment ago does not count.
        try desktop.service.start(.unlocked)
        let after = try await doctor(desktop, until: unreachable, isThere: false)
        #expect(!after.codes.contains(unreachable), "\(after)")
    }

    @Test func oneThatHangsIsNamed() async throws {
        let desktop = try await sessionInUse()
        desktop.service.stop(desktop.service.daemon)
        let before = try await doctor(desktop, until: unreachable, isThere: true)
        #expect(before.codes.contains(unreachable), "\(before)")
        desktop.service.resume()
        let after = try await doctor(desktop, until: unreachable, isThere: false)
        #expect(!after.codes.contains(unreachable), "\(after)")
    }

    /// Who does without it keeps the other keychains.
    @Test func theCommandThatIsToldLeavesTheOtherKeychains() async throws {
        let desktop = try await sessionInUse()
        try await desktop.expect("lanyard", "keychain", "create", "vault")
        try await desktop.expect(
            "lanyard", "keychain", "search-list", "vault", "secret-service", "login")
        desktop.service.killDaemon()
        let before = try await doctor(desktop, until: unreachable, isThere: true)
        #expect(
            before.commands(unreachable) == ["lanyard keychain search-list vault login"],
            "\(before)")
        try await desktop.expect("lanyard", "keychain", "search-list", "vault", "login")
        let after = try await doctor(desktop, until: unreachable, isThere: false)
        #expect(!after.codes.contains(unreachable), "\(after)")
    }
}
#endif
