internal import LanyardConfiguration
public import KeychainServices

extension Keychain {
    /// Returns the keychain that Lanyard's commands use: reads take the first match in the user's search
    /// list, new items go to the default keychain.
    ///
    /// It is opened on first use, created if missing, and unlocked with a given passphrase or by asking the
    /// user. The corresponding call is SecKeychainCopyDefault.
    ///
    /// - Parameter accessGroups: The access groups that this program may use, by default
    ///   ``KeychainServices/AccessGroups/ofThisProgram()``.
    /// - Throws: ``Status/param`` for an unreadable configuration, what ``AccessGroups`` throws.
    public static func login(accessGroups: AccessGroups? = nil) throws(KeychainError) -> Keychain {
        let groups = if let accessGroups { accessGroups } else { try AccessGroups.ofThisProgram() }
        return try SearchListStore(flag: nil, configuration: Configuration(), isSilent: true)
            .keychain(accessGroups: groups)
    }

    /// Returns the keychain that Lanyard's commands use, for a program with a single access group.
    ///
    /// - Parameter accessGroup: The only access group that this program may use.
    /// - Throws: ``Status/param`` for an unreadable configuration.
    public static func login(accessGroup: ByteString) throws(KeychainError) -> Keychain {
        try login(accessGroups: AccessGroups(accessGroup))
    }
}
