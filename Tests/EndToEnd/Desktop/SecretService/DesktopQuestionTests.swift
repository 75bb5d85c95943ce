#if SecretService
import TestSupport
import Testing
@testable import EndToEndRig

/// gnome-keyring asks for the password of a locked collection, and xdotool answers.
@Suite(.timeLimit(.minutes(5)), .serialized, .needs(.gnomeKeyring, .gcrPrompter))
struct DesktopQuestionTests {
    /// A session in which something is kept, and locked.
    private func lockedSession() async throws -> DesktopSession {
        let session = try DesktopSession(hasDisplay: true)
        try await session.expect("lanyard", "set", "token", "--stdin", input: "t")
        session.service.killDaemon()
        try session.service.start(.locked)
        return session
    }

    @Test func aPersonUnlocksIt() async throws {
        let session = try await lockedSession()
        async let answered = Task.detached {
            session.service.answerQuestion("p a s s w o r d Return")
        }.value
        let unlocked = try await session.run("lanyard", "unlock", "--keychain", "secret-service")
        #expect(unlocked.status == 0, "\(unlocked)")
        #expect(await answered)
        try await session.expect(
            "lanyard", "get", "token", "--keychain", "secret-service", answer: "t\n")
        #expect(try await session.becomes("unlocked"))
    }

    @Test func aPersonDismissesIt() async throws {
        let session = try await lockedSession()
        async let answered = Task.detached { session.service.answerQuestion("Escape") }.value
        let unlocked = try await session.run("lanyard", "unlock", "--keychain", "secret-service")
        #expect(unlocked.status == 128, "\(unlocked)")
        #expect(await answered)
        #expect(try await session.becomes("locked"))
    }

    /// It must not prompt, or the prompt could not be seen.
    @Test func forbiddenPromptsDoNotAppear() async throws {
        let session = try await lockedSession()
        let clock = ContinuousClock()
        let start = clock.now
        let got = try await session.run(
            "lanyard", "get", "token", "--keychain", "secret-service",
            variables: ["LANYARD_NO_PROMPT": "1"])
        #expect(got.status == 36, "\(got)")
        let there = try await session.run(
            "lanyard", "unlock", "--keychain", "secret-service", variables: ["DISPLAY": nil])
        #expect(there.status == 36, "\(there)")
        // Questions wait for two minutes.
        #expect(start.duration(to: clock.now) < .seconds(60))
    }
}
#endif
