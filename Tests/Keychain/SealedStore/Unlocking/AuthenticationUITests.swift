import KeychainServices
import Testing

@testable import SealedStore

@Suite("Queries that may not ask", .serialized) struct AuthenticationUITests {
    /// A locked keychain with a secret that takes a passphrase, between two that don't.
    private static let template = Result {
        let scratch = try ScratchKeychain()
        try scratch.setQuickPassphrase("pass")
        let keychain = Keychain(
            try scratch.openStore(provider: ScriptedProvider(given: "pass")),
            accessGroup: "test")
        for (account, accessible) in [
            ("first", .always), ("locked", .whenUnlocked), ("last", .always),
        ] as [(ByteString, Accessibility)] {
            var attributes = genericPassword("service", account: account)
            attributes.accessible = accessible
            try keychain.add(.genericPassword, attributes, secret: Secret("s"))
        }
        return scratch
    }

    private func accounts(
        _ authenticationUI: AuthenticationUI?, _ provider: ScriptedProvider, prompt: String? = nil
    ) throws -> [ByteString?] {
        let scratch = try AuthenticationUITests.template.get().copy()
        defer { scratch.lockAll() }
        let store = try scratch.openStore(provider: provider)
        var query = Query(.genericPassword, returns: [.attributes, .data])
        query.match.limit = .all
        query.match.authenticationUI = authenticationUI
        query.match.prompt = prompt
        var accounts: [ByteString?] = []
        try Keychain(store, accessGroup: "test").forEachMatch(query) { item in
            accounts.append(item.attributes?.account)
            return .next
        }
        return accounts
    }

    @Test func failsWithoutAsking() throws {
        let provider = ScriptedProvider(answers: ["pass"])
        #expect(throws: KeychainError(.interactionNotAllowed)) {
            try accounts(.fail, provider)
        }
        #expect(provider.questions.isEmpty)
    }

    @Test func skipsWhatIsLocked() throws {
        let provider = ScriptedProvider(answers: ["pass"])
        #expect(try accounts(.skip, provider) == ["last", "first"])
        #expect(provider.questions.isEmpty)
    }

    @Test(arguments: [.fail, .skip] as [AuthenticationUI])
    func usesAGivenPassphrase(_ authenticationUI: AuthenticationUI) throws {
        let provider = ScriptedProvider(given: "pass")
        #expect(try accounts(authenticationUI, provider) == ["last", "locked", "first"])
    }

    @Test(.enabled(if: KernelKey.isPermitted, KernelKey.reason))
    func showsTheReason() throws {
        for authenticationUI in [nil, .allow] as [AuthenticationUI?] {
            let provider = ScriptedProvider(answers: ["pass"])
            let found = try accounts(authenticationUI, provider, prompt: "to fetch your mail")
            #expect(found == ["last", "locked", "first"])
            #expect(provider.questions.map(\.reason) == ["to fetch your mail"])
        }
    }

    @Test func theWholeProcessMayNotAsk() async throws {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchKeychain.locked()
            let provider = ScriptedProvider(answers: ["pass"])
            Keychain.isUserInteractionAllowed = false
            #expect(scratch.reading(provider)?.status == .interactionNotAllowed)
            #expect(throws: KeychainError(.interactionNotAllowed)) {
                try scratch.openStore(provider: provider).unlock(timeout: 100)
            }
            #expect(provider.questions.isEmpty)
            #expect(scratch.reading(ScriptedProvider(given: "pass")) == nil)
        }
    }
}
