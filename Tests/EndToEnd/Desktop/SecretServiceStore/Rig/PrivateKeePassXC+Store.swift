#if SecretService
import TestSupport

@testable import SecretServiceStore

extension PrivateKeePassXC {
    /// A store in the database, for one test alone.
    func makeStore() -> SecretServiceStore {
        SecretServiceStore(collection: nil, address: address)
    }

    /// Whether all is there for it; if not, a line says that tests are skipped.
    static var isPossible: Bool {
        ["dbus-daemon", "dbus-send", "keepassxc", "keepassxc-cli", "Xvfb"]
            .allSatisfy(isInstalled)
    }
}
#endif
