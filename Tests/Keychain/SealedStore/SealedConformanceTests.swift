import KeychainServices
import StoreConformance
import Testing

@testable import SealedStore

@Suite("the sealed store passes the conformance suite")
struct SealedConformanceTests {
    @Test(arguments: StoreConformance.cases)
    func conforms(_ rule: ConformanceCase) throws {
        // Removed when the last case with it ends.
        var scratches: [ScratchKeychain] = []
        try rule.run {
            let scratch = try ScratchKeychain()
            scratches.append(scratch)
            return Keychain(try scratch.openStore(), accessGroups: .all())
        }
        withExtendedLifetime(scratches) {}
    }
}
