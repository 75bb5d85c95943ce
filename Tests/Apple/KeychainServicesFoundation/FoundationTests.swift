import Foundation
import KeychainServices
import KeychainServicesFoundation
import Testing

@Suite("errors, bytes and timestamps in Foundation")
struct FoundationTests {
    @Test func errors() {
        let error: any Error = KeychainError(
            .itemNotFound, "no login for example.com", hint: "lanyard list")
        #expect(error.localizedDescription == "no login for example.com")
        #expect((error as? any LocalizedError)?.recoverySuggestion == "lanyard list")
        #expect((error as? any LocalizedError)?.failureReason == Status.itemNotFound.meaning)
        let other: any LocalizedError = KeychainError(Status(rawValue: -67818), "it has expired")
        #expect(other.errorDescription == "it has expired" && other.failureReason == nil)
    }

    @Test(arguments: [[], [0], [0xFF, 0x00, 0x0A], Array("hunter2".utf8)] as [[UInt8]])
    func bytes(_ bytes: [UInt8]) {
        // With an index that does not begin at 0.
        let data = Data([1, 2] + bytes)[2...]
        #expect(Data(Secret(data)) == Data(bytes))
        #expect(ByteString(data).bytes == bytes)
        #expect(Data(ByteString(bytes)) == Data(bytes))
    }

    @Test func moments() {
        let timestamp = Timestamp(secondsSinceEpoch: 1_700_000_000)
        #expect(Timestamp(Date(timestamp)) == timestamp)
        #expect(
            Timestamp(Date(timeIntervalSince1970: -0.5)) == Timestamp(secondsSinceEpoch: -1))
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)) == nil)
        #expect(Timestamp(Date(timeIntervalSince1970: .nan)) == nil)
        #expect(Timestamp(Date(timeIntervalSince1970: 1e30)) == nil)
    }

    private struct Session: Codable, Equatable {
        var token: String
        var ends: Date
    }

    @Test func codableValues() throws {
        let keychain = Keychain(
            InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }), accessGroup: "example")
        func value() throws -> Session? {
            try keychain.value(Session.self, service: "mail", account: "ada")
        }
        #expect(try value() == nil)
        for token in ["one", "two"] {
            let session = Session(token: token, ends: Date(timeIntervalSince1970: 1))
            try keychain.setValue(session, service: "mail", account: "ada")
            #expect(try value() == session)
        }
        try keychain.setPassword("not JSON", service: "mail", account: "ada")
        #expect(throws: KeychainError(.decode)) { try value() }
        #expect(throws: KeychainError(.param)) {
            try keychain.setValue(Double.nan, service: "mail", account: "ada")
        }
    }
}
