#if SecretService
import TestSupport
import Testing
@testable import EndToEndRig

/// `lanyard doctor` where a desktop's Secret Service is what is wrong.
@Suite(.needs(.plugin, .gnomeKeyring), .serialized, .timeLimit(.minutes(10)))
struct DoctorSecretServiceTests {
    private let locked = "secret-service-locked"
    private let unreachable = "secret-service-unreachable"
    private let elsewhere = "stored-elsewhere"

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

    /// What went into the file meanwhile comes home, the newer secret with it.
    @Test func whatWentElsewhereIsBroughtHome() async throws {
        let desktop = try await sessionInUse()
        let git = "git-credential-lanyard"
        let request = "protocol=https\nhost=example.com\n"
        try await desktop.expect(git, "store", input: "\(request)username=ada\npassword=old\n")
        desktop.service.killDaemon()
        try desktop.service.start(.locked)
        let stored = try await desktop.run(
            git, "store", input: "\(request)username=ada\npassword=new\n")
        #expect(stored.status == 0 && stored.errorText.contains("was skipped"), "\(stored)")
        #expect(
            !(try Doctor(try await desktop.run("lanyard", "doctor", "--json"))).codes
                .contains(elsewhere))

        desktop.service.killDaemon()
        try desktop.service.start(.unlocked)
        let before = try await doctor(desktop, until: elsewhere, isThere: true)
        #expect(
            before.commands(elsewhere) == ["lanyard keychain copy --newer login secret-service"],
            "\(before)")
        try await desktop.expect(
            "lanyard", "keychain", "copy", "--newer", "login", "secret-service",
            answer: "0 copied, 1 replaced, 0 already there, 0 skipped\n")
        try await desktop.expect(
            git, "--keychain", "secret-service", "get", input: request,
            answer: "username=ada\npassword=new\n")
        let after = try await doctor(desktop, until: elsewhere, isThere: false)
        #expect(!after.codes.contains(elsewhere), "\(after)")
        // What is newer there stays. Dates are of seconds.
        try await Task.sleep(for: .milliseconds(1_100))
        try await desktop.expect(
            git, "--keychain", "secret-service", "store",
            input: "\(request)username=ada\npassword=newest\n")
        try await desktop.expect(
            "lanyard", "keychain", "copy", "--newer", "login", "secret-service",
            answer: "0 copied, 1 already there, 0 skipped\n")
        try await desktop.expect(
            git, "--keychain", "secret-service", "get", input: request,
            answer: "username=ada\npassword=newest\n")
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

    /// Without it in the search list its logins would be hidden on the desktop too.
    @Test func noCommandTakesItOutOfTheList() async throws {
        let desktop = try await sessionInUse()
        try await desktop.expect("lanyard", "keychain", "create", "vault")
        try await desktop.expect(
            "lanyard", "keychain", "search-list", "vault", "secret-service", "login")
        desktop.service.killDaemon()
        let before = try await doctor(desktop, until: unreachable, isThere: true)
        #expect(
            before.codes.contains(unreachable) && before.commands(unreachable) == [], "\(before)")
    }
}
#endif
