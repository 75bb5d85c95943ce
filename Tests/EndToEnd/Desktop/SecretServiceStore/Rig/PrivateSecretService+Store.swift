#if SecretService
import TestSupport

@testable import SecretServiceStore

extension PrivateSecretService {
    /// A store in a collection, for one test alone. It takes turns as programs do.
    func makeStore(collection: String? = nil) -> SecretServiceStore {
        SecretServiceStore(
            collection: collection, address: address, runtimeFolder: "\(folder)/run")
    }
}
#endif
