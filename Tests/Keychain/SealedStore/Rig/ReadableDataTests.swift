import KeychainServices
import Testing

@testable import SealedStore

/// Walks that take the secrets they can get, and don't prompt for the others.
@Suite("Readable secrets", .serialized) struct ReadableDataTests {
    private static func keychain() throws -> ScratchKeychain {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        for accessible in [Accessibility.whenUnlocked, .always, .alwaysThisDeviceOnly] {
            for number in 0..<100 {
                var attributes = internetPassword(ByteString("\(accessible.code)-\(number)"))
                attributes.accessible = accessible
                try keychain.add(
                    .internetPassword, attributes, secret: Secret("\(accessible.code)-\(number)"))
            }
        }
        return scratch
    }

    /// How many items there are of each accessibility, and how many of them with their secret.
    private func counts(_ store: SealedStore) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var query = Query(.internetPassword, returns: [.attributes, .readableData])
        query.match.limit = .all
        try store.forEachMatch(query) { item throws(KeychainError) in
            let code = item.attributes?.accessible?.code ?? ""
            counts[code, default: 0] += 1
            switch item.secret {
            case .some(let secret):
                counts["\(code) read", default: 0] += 1
                let isRight = secret.withBytes {
                    ByteString(copying: $0) == item.attributes?.server
                }
                #expect(isRight)
            case .none: break
            }
            return .next
        }
        return counts
    }

    private static let all = [
        "ak": 100, "ak read": 100, "dk": 100, "dk read": 100, "dku": 100, "dku read": 100,
    ]
    private static let locked = ["ak": 100, "dk": 100, "dk read": 100, "dku": 100, "dku read": 100]

    @Test func ofAnOpenKeychain() throws {
        let scratch = try ReadableDataTests.keychain()
        #expect(try counts(try scratch.openStore()) == ReadableDataTests.all)
    }

    @Test func aLockedOneDoesNotPrompt() throws {
        let scratch = try ReadableDataTests.keychain()
        try scratch.setQuickPassphrase("pass")
        let provider = ScriptedProvider(answers: ["pass"])
        let store = try scratch.openStore(provider: provider)
        #expect(try counts(store) == ReadableDataTests.locked)
        #expect(provider.questions.isEmpty)
        #expect(try counts(try scratch.openStore()) == ReadableDataTests.locked)
    }

    @Test func whatTheProcessWasGivenIsUsed() throws {
        let scratch = try ReadableDataTests.keychain()
        try scratch.setQuickPassphrase("pass")
        let provider = ScriptedProvider(given: "pass")
        #expect(try counts(try scratch.openStore(provider: provider)) == ReadableDataTests.all)
        let wrong = try scratch.openStore(provider: ScriptedProvider(given: "wrong"))
        #expect(keychainError { _ = try counts(wrong) }?.status == .authFailed)
    }

    @Test func aDamagedSecretHidesNoOther() throws {
        let scratch = try ReadableDataTests.keychain()
        try RawDatabase(scratch.location.file)
            .run("UPDATE item SET secret = substr(secret, 1, 24) WHERE change % 2 = 0")
        let counts = try counts(try scratch.openStore())
        #expect(counts["ak"] == 100)
        #expect(counts["ak read"] == 50)
    }

    @Test func theStoreInMemoryHasThem() throws {
        let store = InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) })
        _ = try store.add(.internetPassword, internetPassword("a.example"), secret: Secret("s"))
        var count = 0
        try store.forEachMatch(Query(.internetPassword, returns: .readableData)) {
            item throws(KeychainError) in
            count = item.secret?.count ?? 0
            return .next
        }
        #expect(count == 1)
    }
}
