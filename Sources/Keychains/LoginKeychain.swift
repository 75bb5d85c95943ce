internal import Configuration
public import KeychainServices

extension Keychain {
    /// Returns the keychain that Lanyard's commands use: reads take the first match in the user's search
    /// list, new items go to the default keychain.
    ///
    /// It is opened on first use, created if missing, and unlocked with a given passphrase or by asking the
    /// user. The corresponding call is SecKeychainCopyDefault.
    ///
    /// - Parameter accessGroup: The group of this program's items, for example its name.
    /// - Throws: ``Status/param`` for an unreadable configuration.
    public static func login(accessGroup: ByteString) throws(KeychainError) -> Keychain {
        try SearchListStore(flag: nil, configuration: Configuration(), isSilent: true)
            .keychain(accessGroup: accessGroup)
    }
}
