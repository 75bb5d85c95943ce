public import Configuration
public import KeychainServices
internal import KeychainPlugin

extension Configuration {
    /// Whether logins were stored in the Secret Service here, where nobody had chosen it.
    public var hasUsedSecretService: Bool { UseMark(places).isSet }

    /// The keychain that new items go to now: the chosen one, or the first one that can be used, which is
    /// tried.
    ///
    /// - Throws: ``Status/param`` for a configuration that can't be.
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
