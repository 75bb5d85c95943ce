public import LanyardConfiguration
public import KeychainServices
internal import SealedStore

/// The user's keychains, for programs that manage them as `lanyard keychain` does.
///
///     var keychains = try UserKeychains()
///     try keychains.create("work")
///     try keychains.setDefault("work")
///
/// A change is in effect for every program of the user once the call returns.
public struct UserKeychains: Sendable {
    /// The configuration that names the keychains, with all changes made here.
    public package(set) var configuration: Configuration

    /// Reads the user's configuration.
    ///
    /// - Throws: ``Status/param`` if it is invalid.
    public init() throws(KeychainError) {
        self.init(try Configuration())
    }

    /// Creates the keychains of a configuration.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// A keychain of the user.
    public struct Entry: Hashable, Sendable {
        /// The keychain's name.
        public let name: String
        /// `sealed`, `secret-service` or the kind of another plugin.
        public let kind: String
        /// The path of a sealed keychain's file, nil for other kinds.
        public let file: String?
        /// Whether new items go there.
        public let isDefault: Bool
    }

    /// Returns all keychains, in alphabetical order; a default keychain without a file or a section of
    /// its own, such as the Secret Service, comes first.
    ///
    /// - Throws: ``Status/param`` for an invalid configuration.
    public func all() throws(KeychainError) -> [Entry] {
        let inUse = try defaultName()
        let known = try configuration.keychains()
        let isUnknown = inUse != Configuration.login && !known.contains(inUse)
        var entries: [Entry] = []
        for name in (isUnknown ? [inUse] : []) + known {
            let kind = try configuration.kind(ofKeychain: name)
            entries.append(
                Entry(
                    name: name, kind: kind.name,
                    file: kind == .sealed ? try configuration.location(ofKeychain: name).file : nil,
                    isDefault: name == inUse))
        }
        return entries
    }

    /// Opens a keychain on its first use.
    ///
    /// - Parameter accessGroups: The access groups that this program may use, by default
    ///   ``KeychainServices/AccessGroups/ofThisProgram()``.
    /// - Throws: ``Status/noSuchKeychain``, ``Status/param`` for an invalid name, what
    ///   ``AccessGroups`` throws.
    ///
    /// The corresponding function is SecKeychainOpen.
    public func open(
        _ name: String, accessGroups: AccessGroups? = nil
    ) throws(KeychainError) -> Keychain {
        try configuration.checkIsKnown(name)
        let groups = if let accessGroups { accessGroups } else { try AccessGroups.ofThisProgram() }
        return try SearchListStore(flag: name, configuration: configuration, isSilent: true)
            .keychain(accessGroups: groups)
    }

    /// Returns the name of the keychain that new items go to.
    ///
    /// The corresponding function is SecKeychainCopyDefault.
    public func defaultName() throws(KeychainError) -> String {
        try configuration.defaultKeychain()
    }

    /// Chooses the keychain that new items go to.
    ///
    /// - Throws: ``Status/noSuchKeychain``; ``Status/writePermissions``, ``Status/readOnly``,
    ///   ``Status/diskFull``, ``Status/io`` if the configuration can't be written.
    ///
    /// The corresponding function is SecKeychainSetDefault.
    public mutating func setDefault(_ name: String) throws(KeychainError) {
        try configuration.checkIsKnown(name)
        try configuration.setDefaultKeychain(name)
    }

    /// Returns the names of the keychains that programs search, in their order.
    ///
    /// The corresponding function is SecKeychainCopySearchList.
    public func searchList() throws(KeychainError) -> [String] {
        try configuration.searchList().names
    }

    /// Chooses the keychains that programs search; an empty list restores the default one. A name that
    /// repeats counts once.
    ///
    /// - Throws: As ``setDefault(_:)``.
    ///
    /// The corresponding function is SecKeychainSetSearchList.
    public mutating func setSearchList(_ names: [String]) throws(KeychainError) {
        var unique: [String] = []
        for name in names where !unique.contains(name) {
            try configuration.checkIsKnown(name)
            unique.append(name)
        }
        try configuration.setSearchList(unique)
    }

    /// Returns when a sealed keychain locks.
    ///
    /// - Throws: ``Status/param`` for another kind of keychain, or an invalid setting.
    ///
    /// The corresponding function is SecKeychainCopySettings.
    public func settings(of name: String) throws(KeychainError) -> KeychainSettings {
        try checkIsSealed(name)
        return KeychainSettings(
            lockAfter: try configuration.autolock(ofKeychain: name).limit,
            locksOnSleep: try configuration.locksOnSleep(keychain: name),
            locksOnScreenLock: try configuration.locksOnScreenLock(keychain: name))
    }

    /// Changes when a sealed keychain locks: what differs from the settings in effect is written into the
    /// configuration. A keychain that is unlocked now keeps its time.
    ///
    /// - Throws: As ``settings(of:)`` and ``setDefault(_:)``; ``Status/param`` for a time of 0 or more
    ///   than 2³¹ − 1 seconds.
    ///
    /// The corresponding function is SecKeychainSetSettings.
    public mutating func setSettings(
        _ settings: KeychainSettings, of name: String
    ) throws(KeychainError) {
        let present = try self.settings(of: name)
        if settings.lockAfter != present.lockAfter {
            let timeOut = settings.lockAfter.map(TimeOut.seconds) ?? .never
            try configuration.set(
                SettingName("keychain.\(name).autolock"), to: timeOut.text)
        }
        if settings.locksOnSleep != present.locksOnSleep {
            try configuration.set(
                SettingName("keychain.\(name).lockOnSleep"), to: "\(settings.locksOnSleep)")
        }
        if settings.locksOnScreenLock != present.locksOnScreenLock {
            try configuration.set(
                SettingName("keychain.\(name).lockOnScreenLock"),
                to: "\(settings.locksOnScreenLock)")
        }
    }

    private func checkIsSealed(_ name: String) throws(KeychainError) {
        try configuration.checkIsKnown(name)
        _ = try configuration.location(ofKeychain: name)
    }
}
