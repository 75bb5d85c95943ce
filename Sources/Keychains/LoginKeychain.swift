internal import Configuration
public import KeychainServices

extension Keychain {
    /// The keychain that Lanyard's commands use: the first of the user's search list in which something is
    /// found, the default one for what is new. It is opened, and made where there is none, when something is
    /// asked of it, and unlocked with what the process was given or a person answers. The corresponding
    /// call is SecKeychainCopyDefault.
    ///
    /// - Parameter accessGroup: The group of this program's items, for example its name.
    /// - Throws: ``Status/param`` for a configuration that can't be read.
    public static func login(accessGroup: ByteString) throws(KeychainError) -> Keychain {
        try SearchListStore(flag: nil, configuration: Configuration(), isSilent: true)
            .keychain(accessGroup: accessGroup)
    }
}
