#if SecretService
import KeychainServices
import TestSupport
import StoreConformance
import Testing

@testable import SecretServiceStore

@Suite("the Secret Service passes the conformance suite", .serialized)
struct SecretServiceConformanceTests {
    /// Starting one for each case would take minutes.
    private static let service = Result { try PrivateSecretService() }

    @Test(arguments: StoreConformance.cases)
    func conforms(_ rule: ConformanceCase) throws {
        let service = try SecretServiceConformanceTests.service.get()
        try rule.run {
            let store = service.makeStore()
            // Some cases change hundreds of items in one call, and this machine may be busy.
            store.timeLimit = 20_000
            let keychain = Keychain(store, accessGroups: .all())
            try keychain.empty()
            return keychain
        }
    }
}

extension Keychain {
    /// Deletes every item.
    func empty() throws {
        for itemClass in ItemClass.stored {
            var everything = Query(itemClass)
            everything.synchronizable = .any
            do {
                try delete(everything)
            } catch {
                guard error.status == .itemNotFound else {
                    throw error
                }
            }
        }
    }
}
#endif
