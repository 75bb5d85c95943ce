internal import Configuration
internal import Prompting
internal import Keychains
internal import KeychainServices
internal import KeychainPlugin

/// Locks and unlocks keychains other than sealed files.
struct KeychainUnlocking {
    private let name: String
    private let configuration: Configuration

    /// Creates one for a keychain other than a sealed file.
    init(_ name: String, _ configuration: Configuration) {
        self.name = name
        self.configuration = configuration
    }

    func lock() throws(KeychainError) {
        try configuration.pluginStore(ofKeychain: name).lock()
    }

    /// Unlocks it, and forgets earlier failures, because it works now.
    func unlock() throws(KeychainError) {
        try configuration.pluginStore(ofKeychain: name).unlock()
        if try configuration.kind(ofKeychain: name) == .secretService {
            _ = try SecretServiceProbe(keychain: name, configuration).status()
        }
    }

    /// Locks every keychain in use or with a section of its own, except sealed files. It warns of
    /// unreachable ones that are likely to contain logins.
    ///
    /// - Returns: The error of an open keychain that could not be locked.
    static func lockOthers(_ configuration: Configuration) -> KeychainError? {
        var names = (try? configuration.searchList().names) ?? []
        names += configuration.namedKeychains.filter { !names.contains($0) }
        var failure: KeychainError?
        for name in names {
            guard let kind = try? configuration.kind(ofKeychain: name), kind != .sealed else {
                continue
            }
            do throws(KeychainError) {
                try KeychainUnlocking(name, configuration).lockIfOpen(kind)
            } catch {
                failure = KeychainError(
                    error.status, "the keychain '\(name)' is not locked: \(error.reason)",
                    hint: error.hint)
            }
        }
        return failure
    }

    private func lockIfOpen(_ kind: KeychainKind) throws(KeychainError) {
        let status: PluginStatus
        do throws(KeychainError) {
            status =
                kind == .secretService
                ? try SecretServiceProbe(keychain: name, configuration).status()
                : try configuration.pluginStore(ofKeychain: name).status()
        } catch {
            if configuration.namedKeychains.contains(name) || configuration.hasUsedSecretService {
                printWarning("the keychain '\(name)' was not locked: \(error.reason)")
            }
            return
        }
        if !status.isLocked {
            try lock()
        }
    }

    /// Tells the user that the last command did not concern the keychain for new logins.
    ///
    /// - Parameter lock: Whether the command locks.
    static func hintAtOpenDefault(
        _ configuration: Configuration, lock: Bool
    ) throws(KeychainError) {
        let name = try configuration.defaultKeychain()
        guard try configuration.kind(ofKeychain: name) != .sealed else {
            return
        }
        printHint(
            lock
                ? "this does not lock the keychain '\(name)'; "
                    + "lanyard lock --keychain \(name) does"
                : "this concerns a sealed keychain, but new logins go to '\(name)', which has its "
                    + "own lock")
    }
}
