import TestSupport
import SealedStore
import Testing

@testable import LanyardConfiguration
@testable import Keychains

/// What a touch of a security key is used for, after the message of the presence program.
@Suite struct PresenceUseTests {
    @Test(
        arguments: [
            (.unlock, nil, nil),
            (.unlock, "publish", "publish"),
            (.use(item: "token", others: false), nil, "Use 'token' of the keychain 'work'"),
            (
                .use(item: "token", others: false), "publish",
                "Use 'token' of the keychain 'work': publish"
            ),
        ] as [(UnlockQuestion.Purpose, String?, String?)])
    func theReasonDoesNotReplaceTheItem(
        _ purpose: UnlockQuestion.Purpose, _ reason: String?, _ use: String?
    ) throws {
        let folder = try ScratchFolder()
        let configuration = try Configuration(places: Places(home: "\(folder.path)/home"))
        let unlocker = KeychainUnlocker(name: "work", configuration: configuration)
        #expect(unlocker.presenceUse(purpose, reason: reason) == use)
    }
}
