#if SecretService
import KeychainServices
import TestSupport
import StoreConformance
import Testing

@testable import SecretServiceStore

/// All cases pass, and none is left out for what it asks. Together they take some 55 s. The rig spares KeePassXC saving after every
/// change: 2.7.4 writes the file in another thread, lets changes through meanwhile, and now and then dies of them.
/// A `lanyard` that makes a change or two does not come near that, hundreds of cases in a row do.
@Suite(
    "KeePassXC passes the conformance suite", .enabled(if: PrivateKeePassXC.isPossible),
    .serialized, .timeLimit(.minutes(8)))
struct KeePassXCConformanceTests {
    private static let service = Result { try PrivateKeePassXC(hasRecycleBin: false) }

    @Test(arguments: StoreConformance.cases)
    func conforms(_ rule: ConformanceCase) throws {
        let service = try KeePassXCConformanceTests.service.get()
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
#endif
