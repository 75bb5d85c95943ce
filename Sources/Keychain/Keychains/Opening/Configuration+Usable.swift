public import LanyardConfiguration
public import KeychainServices
internal import KeychainPlugin

extension Configuration {
    /// Whether Lanyard stored logins in the Secret Service here although the user had not chosen it.
    public var hasUsedSecretService: Bool { UseMark(places).isSet }

    /// Returns the keychain that new items go to now: the chosen one, or the first that works, found by
    /// trying.
    ///
    /// - Throws: ``Status/param`` for an invalid configuration.
    public func defaultKeychain() throws(KeychainError) -> String {
        let list = try searchList()
        if let name = list.defaultName {
            return name
        }
        for name in list.names {
            guard try kind(ofKeychain: name) == .secretService else {
                return name
            }
            if let status = try? SecretServiceProbe(keychain: name, self).status(),
                !status.isLocked || status.canPrompt
            {
                return name
            }
        }
        return list.names.last ?? Configuration.login
    }
}
