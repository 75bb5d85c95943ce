public import Configuration
public import KeychainServices
public import KeychainPlugin
internal import LinuxSystem

/// Finds out whether a keychain in the Secret Service can be used. Nothing is guessed: something has to
/// answer, the collection has to be there, and it has to be unlocked, or somebody can be shown the question
/// that unlocks it.
public struct SecretServiceProbe {
    private let keychain: String
    private let configuration: Configuration

    /// Of a keychain of the kind `secret-service`.
    public init(keychain: String, _ configuration: Configuration) {
        self.keychain = keychain
        self.configuration = configuration
    }

    /// The keychain, to be used without asking first: whether it can be shows with the first call.
    ///
    /// - Parameter isNamed: Whether it was named for this call; then it is tried also if that failed a
    ///   moment ago.
    /// - Throws: ``Status/notAvailable`` if there is no bus, and what the first call found, if that
    ///   was less than a minute ago.
    func open(isNamed: Bool) throws(KeychainError) -> any KeychainStore {
        let memory = try memory()
        if isNamed {
            memory?.forget()
        } else if let failure = memory?.failure(now: SystemCalls.now()) {
            throw KeychainError(
                failure.status, "\(failure.reason) (less than a minute ago)",
                hint: "lanyard status tries again")
        }
        let store = try configuration.pluginStore(ofKeychain: keychain)
        return SecretServiceKeychain(store, memory)
    }

    /// The keychain's state now, whatever was found before.
    ///
    /// - Throws: ``Status/notAvailable`` if there is no bus or nothing that answers,
    ///   ``Status/databaseLocked`` if it is too busy, ``Status/noSuchKeychain`` without the collection.
    public func status() throws(KeychainError) -> PluginStatus {
        let memory = try memory()
        let store = try configuration.pluginStore(ofKeychain: keychain)
        do throws(KeychainError) {
            var status = try store.status()
            status.canPrompt = configuration.mayAsk && status.canPrompt
            memory?.forget()
            return status
        } catch {
            if !store.isBroken {
                memory?.rememberIfGone(error)
            }
            throw error
        }
    }

    /// Why a locked one can't be used.
    public static let locked = KeychainError(
        .interactionNotAllowed,
        "the collection is locked, and nobody can be asked here to unlock it",
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
