public import LanyardConfiguration
public import KeychainServices
public import KeychainPlugin
internal import LinuxSystem

/// Finds out whether a keychain in the Secret Service works. A service has to answer, and the collection
/// has to exist. It must also be unlocked, or a prompt must be able to reach the user.
public struct SecretServiceProbe {
    private let keychain: String
    private let configuration: Configuration

    /// Creates a probe for a keychain of the kind `secret-service`.
    public init(keychain: String, _ configuration: Configuration) {
        self.keychain = keychain
        self.configuration = configuration
    }

    /// Opens the keychain without asking first: the first call shows whether it works.
    ///
    /// - Parameter isNamed: Whether the call names it; then it is tried again right after a failure.
    /// - Throws: ``Status/notAvailable`` without a bus, and the error of a first call less than a minute
    ///   ago.
    func open(isNamed: Bool) throws(KeychainError) -> any KeychainStore {
        let memory = try memory()
        if isNamed {
            memory?.forget()
        } else if let failure = memory?.failure(now: SystemCalls.now(), isBack: isBack) {
            guard !failure.isOfLanyardItself else {
                throw failure
            }
            throw KeychainError(
                failure.status, "\(failure.reason) (less than a minute ago)",
                hint: "lanyard status tries again")
        }
        let store = try configuration.pluginStore(ofKeychain: keychain)
        return SecretServiceKeychain(store, memory)
    }

    /// Whether a program is the Secret Service now, and perhaps was not a moment ago.
    private func isBack() -> Bool {
        SessionBus.address.flatMap(BusNames.init)?.hasOwner("org.freedesktop.secrets") == true
    }

    /// Asks for the keychain's current state, whatever was found before.
    ///
    /// - Throws: ``Status/notAvailable`` without a bus or a service that answers, ``Status/databaseLocked``
    ///   if it is too busy, ``Status/noSuchKeychain`` without the collection.
    public func status() throws(KeychainError) -> PluginStatus {
        let memory = try memory()
        let store = try configuration.pluginStore(ofKeychain: keychain)
        let start = SystemCalls.monotonicMilliseconds()
        do throws(KeychainError) {
            var status = try store.status()
            status.canPrompt = configuration.mayAsk && status.canPrompt
            memory?.forget()
            return status
        } catch {
            if !store.isBroken {
                memory?.rememberIfGone(error, since: start)
            }
            throw error
        }
    }

    /// Says why a locked one can't be used.
    public static let locked = KeychainError(
        .interactionNotAllowed,
        "the collection is locked, and lanyard can't prompt here to unlock it",
        hint: "unlock it on the desktop")

    private func memory() throws(KeychainError) -> ProbeFailureCache? {
        guard let bus = SessionBus.address else {
            throw KeychainError(.notAvailable, "there is no session bus here")
        }
        let settings = configuration.pluginSettings(ofKeychain: keychain)
        return ProbeFailureCache(
            bus: bus, collection: settings.map { "\($0.name)=\($0.value)" }.joined(separator: "\n"))
    }
}

extension Configuration {
    /// Asks a keychain of another kind than a sealed file for its state, and not the user.
    ///
    /// - Throws: As ``SecretServiceProbe/status()``.
    package func pluginStatus(ofKeychain name: String) throws(KeychainError) -> PluginStatus {
        try kind(ofKeychain: name) == .secretService
            ? SecretServiceProbe(keychain: name, self).status()
            : pluginStore(ofKeychain: name).status()
    }
}
