#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

@Suite("a failing Secret Service gives a clear error in time")
struct FailureTests {
    private let query = Query(.internetPassword, .git("example.com"), returns: .data)

    private func read(_ store: SecretServiceStore) throws {
        _ = try Keychain(store, accessGroups: .all()).copyMatching(query)
    }

    private func add(_ store: SecretServiceStore, _ server: ByteString = "new.example") throws {
        try Keychain(store, accessGroups: .all()).add(
            .internetPassword, .git(server), secret: Secret("s"))
    }

    @Test func thereIsNoBus() {
        let store = SecretServiceStore(collection: nil, address: "unix:path=/nonexistent/bus")
        expectFailure(.notAvailable) { try read(store) }
        expectFailure(.notAvailable) { try add(store) }
        expectFailure(.notAvailable) { try store.isLocked() }
    }

    @Test func theBusHasNoSecretService() throws {
        let service = try PrivateSecretService(nil)
        let store = service.makeStore()
        expectFailure(.notAvailable) { try read(store) }
        try service.start(.unlocked)
        expectFailure(.itemNotFound) { try read(store) }
    }

    @Test(arguments: [false, true])
    func neverAnswers(isBus: Bool) throws {
        let service = try PrivateSecretService()
        for isConnected in [false, true] {
            let store = service.makeStore()
            if isConnected {
                expectFailure(.itemNotFound) { try read(store) }
            }
            store.timeLimit = 300
            service.stop(isBus ? service.bus : service.daemon)
            let start = ContinuousClock.now
            // Where this machine is itself late, the other side counts as busy, and not as gone.
            let failures: [() throws -> Void] = [
                { _ = try read(store) }, { try add(store) }, { try store.unlock() },
            ]
            for failure in failures {
                expectFailure(.notAvailable, .databaseLocked, within: .seconds(10)) {
                    try failure()
                }
            }
            // poll(2) counts whole milliseconds: each may end one early.
            #expect(start.duration(to: .now) >= .milliseconds(897))
            service.resume()
            store.timeLimit = 20_000
            expectFailure(.itemNotFound) { try read(store) }
        }
    }

    @Test func nothingIsAddedAfterTheTimeLimit() throws {
        let service = try PrivateSecretService()
        let store = service.makeStore()
        try add(store, "example.com")
        store.timeLimit = 300
        service.stop(service.daemon)
        expectFailure(.notAvailable, .databaseLocked) { try add(store) }
        service.resume()
        store.timeLimit = 20_000
        #expect(try Keychain(store, accessGroups: .all()).found(ItemAttributes()).count == 1)
    }

    @Test func theCollectionIsLocked() throws {
        let service = try PrivateSecretService()
        let store = service.makeStore()
        let keychain = Keychain(store, accessGroups: .all())
        try add(store, "example.com")
        #expect(try !store.isLocked())
        try store.lock()
        #expect(try store.isLocked())
        expectFailure(.interactionNotAllowed) { try read(store) }
        expectFailure(.interactionNotAllowed) { try add(store) }
        expectFailure(.interactionNotAllowed) { try keychain.update(query, secret: Secret("x")) }
        expectFailure(.interactionNotAllowed) {
            try keychain.delete(Query(.internetPassword, .git("example.com")))
        }
        expectFailure(.interactionNotAllowed) { try store.unlock() }
        // No provider runs here.
        store.isPromptAllowed = true
        expectFailure(.interactionNotAllowed) { try read(store) }
        // The attributes are not secret.
        let attributes = Query(.internetPassword, .git("example.com"), returns: .attributes)
        _ = try keychain.copyMatching(attributes)
        expectFailure(.itemNotFound) {
            try keychain.copyMatching(Query(.internetPassword, .git("other"), returns: .data))
        }
    }

    @Test func theCollectionWasNeverUnlocked() throws {
        let service = try PrivateSecretService()
        try add(service.makeStore(), "example.com")
        service.killDaemon()
        try service.start(.locked)
        let store = service.makeStore()
        #expect(try store.isLocked())
        expectFailure(.interactionNotAllowed) { try read(store) }
    }

    @Test func thereIsNoDefaultCollection() throws {
        let service = try PrivateSecretService(.locked)
        for collection in [nil, "nowhere"] {
            let store = service.makeStore(collection: collection)
            expectFailure(.noSuchKeychain) { try read(store) }
            expectFailure(.noSuchKeychain) { try add(store) }
            expectFailure(.noSuchKeychain) { try store.isLocked() }
            expectFailure(.noSuchKeychain) { try store.place() }
        }
    }

    @Test func collectionsAreFoundByTheirNames() throws {
        let service = try PrivateSecretService()
        for name in [nil, "default", "login", "Login"] {
            let store = service.makeStore(collection: name)
            #expect(try store.place() == "collection 'Login' of gnome-keyring")
            #expect(try store.outlastsReboot())
        }
        let session = service.makeStore(collection: "session")
        try add(session)
        #expect(try !session.outlastsReboot())
        #expect(
            try Keychain(service.makeStore(), accessGroups: .all()).found(ItemAttributes()).isEmpty)
        #expect(try Keychain(session, accessGroups: .all()).found(ItemAttributes()).count == 1)
    }
}
#endif
