#if SecretService
import KeychainServices
import SecretServiceRig

@testable import SecretServiceStore

extension PrivateSecretService {
    /// A store in a collection, nobody else's.
    func makeStore(collection: String? = nil) -> SecretServiceStore {
        SecretServiceStore(collection: collection, address: address)
    }
}
#endif
