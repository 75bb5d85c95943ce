import Foundation
import LanyardTransfer
import KeychainServices
import SealedStore
import Testing

/// A user who knows the passphrase and counts the questions.
// Sendable, as the store asks under its lock, and the test looks when it is done.
private final class User: PassphraseProvider, @unchecked Sendable {
    private(set) var purposes: [UnlockQuestion.Purpose] = []

    func givenPassphrase() throws(KeychainError) -> GivenPassphrase? { nil }

    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        purposes.append(question.purpose)
        return Secret("correct pwd")
    }

    func timeout() throws(KeychainError) -> UInt32? { 60 }
    func keychainStaysLocked(_ reason: KeychainError) {}
}

@Suite("Items with an access control") struct AskingItemsTests {
    @Test func oneQuestionServesTheExport() throws {
        let folder = "\(NSTemporaryDirectory())lanyard-asking-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let location = KeychainLocation(
            file: "\(folder)/data/login.keychain", stateFolder: "\(folder)/state")
        let user = User()
        let store = try SealedStore.openOrMake(at: location, provider: user)
        defer { try? store.lock(firstUnlock: true) }
        try PassphraseChange.set(Secret("correct pwd"), of: store).apply()
        let keychain = Keychain(store, accessGroups: .all())
        func add(_ service: ByteString, _ flags: AccessControl.Flags) throws {
            var attributes = ItemAttributes()
            attributes.service = service
            attributes.accessControl = AccessControl(flags: flags)
            try keychain.add(
                .genericPassword, attributes, secret: Secret("of \(service)"),
                context: AuthenticationContext(applicationPassword: Secret("swordfish")))
        }
        for service in ["one", "two", "three"] as [ByteString] {
            try add(service, .userPresence)
        }
        try add("of a program", .applicationPassword)
        try add("plain", [])
        let before = user.purposes.count

        var document: [UInt8] = []
        let counts = try ItemExport(of: keychain).write(
            created: Timestamp(secondsSinceEpoch: 0),
            to: { piece throws(KeychainError) in document += bytes(piece) })
        #expect(counts.exported == 4 && counts.underPassword.count == 1)
        let asked = user.purposes.dropFirst(before)
        #expect(asked.count == 1)
        guard case .use(_, others: true) = asked.first else {
            Issue.record("asked for \(asked)")
            return
        }
        let text = String(decoding: document, as: UTF8.self)
        for service in ["one", "two", "three", "plain"] {
            #expect(text.contains("\"of \(service)\""))
        }
        #expect(!text.contains("of a program"))
    }
}
