#if SecretService
import Testing
@testable import EndToEndRig

/// `lanyard-secret-service` and clients that mean no good.
@Suite(.serialized, .timeLimit(.minutes(5)), .needs(.dbus, .python))
struct HostileClientTests {
    @Test(
        arguments: [
            ["others"], ["paths"], ["types"], ["keys"], ["giants"], ["sessions"], ["halves"],
            ["flood"],
        ])
    func nothingHappens(_ arguments: [String]) async throws {
        let session = try DesktopSession(nil)
        let errors = try await session.withOwnService(during: { _ in
            try await session.client("hostile", arguments)
        })
        #expect(errors == "")
    }

    @Test(.needs(.unsanitized)) func nothingOfManyClientsStays() async throws {
        try await nothingHappens(["clients", "300"])
    }

    /// Clients take turns, however much one of them asks for.
    @Test func nothingIsWaitedFor() async throws {
        let session = try DesktopSession(nil)
        try await session.withOwnService { try await session.client("turns", []) }
    }
}
#endif
