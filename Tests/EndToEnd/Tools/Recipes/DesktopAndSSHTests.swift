#if SecretService
import TestSupport
import Testing
@testable import EndToEndRig

/// A user works at a desktop, and logs in to it over SSH in the evening.
@Suite(.needs(.plugin, .gnomeKeyring, .git), .serialized, .timeLimit(.minutes(10)))
struct DesktopAndSSHTests {
    private let desktop: DesktopSession

    init() async throws {
        desktop = try DesktopSession()
        try await desktop.home.configureGit()
    }

    /// A session over SSH has neither the bus nor the display.
    private var ssh: [String: String?] {
        ["DBUS_SESSION_BUS_ADDRESS": nil, "DISPLAY": nil, "XDG_RUNTIME_DIR": nil]
    }

    private func login(_ host: String) -> String { "protocol=https\nhost=\(host)\nusername=ada\n" }

    private func store(_ host: String, _ variables: [String: String?] = [:]) async throws {
        let stored = try await desktop.run(
            "git", "credential", "approve", input: "\(login(host))password=\(host)-pw\n",
            variables: variables)
        #expect(stored.status == 0, "\(stored)")
    }

    private func finds(
        _ host: String, _ variables: [String: String?] = [:]
    ) async throws -> Bool {
        let filled = try await desktop.run(
            "git", "credential", "fill", input: login(host), variables: variables)
        return filled.outputText.contains("password=\(host)-pw\n")
    }

    @Test func noLoginIsHiddenByWhatDoctorSays() async throws {
        try await store("desktop.example")
        #expect(try await desktop.keychains() == ["secret-service"])

        // Over SSH the desktop's login is out of reach, and a new one goes to the file.
        #expect(try await !finds("desktop.example", ssh))
        try await store("evening.example", ssh)
        #expect(try await finds("evening.example", ssh))
        let doctor = try Doctor(
            try await desktop.run("lanyard", "doctor", "--json", variables: ssh))
        let code = "secret-service-unreachable"
        #expect(doctor.codes.contains(code), "\(doctor)")
        #expect(doctor.commands(code) == [], "\(doctor)")
        for command in doctor.findings.compactMap(\.command) {
            let done = try await desktop.run("sh", "-c", command, variables: ssh)
            #expect(done.status == 0, "\(command): \(done)")
        }

        // Back at the desktop both are found.
        #expect(try await finds("desktop.example"))
        #expect(try await finds("evening.example"))
        let back = try Doctor(try await desktop.run("lanyard", "doctor", "--json"))
        #expect(!back.codes.contains(code), "\(back)")
    }
}
#endif
