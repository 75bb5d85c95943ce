internal import KeychainServices
internal import Keychains

/// When a keychain locks. The C type is SecKeychainSettings, with the same layout.
public struct SecKeychainSettings: Hashable, Sendable {
    /// The version of this type, 1.
    public var version: UInt32
    /// Whether it locks before the machine sleeps.
    public var lockOnSleep: Bool
    /// Whether it locks after ``lockInterval``. Keychain Services ignores it when settings are made.
    public var useLockInterval: Bool
    /// After how many seconds it locks; 2³¹ − 1 for never.
    public var lockInterval: UInt32

    /// Creates settings.
    public init(version: UInt32, lockOnSleep: Bool, useLockInterval: Bool, lockInterval: UInt32) {
        self.version = version
        self.lockOnSleep = lockOnSleep
        self.useLockInterval = useLockInterval
        self.lockInterval = lockInterval
    }
}

/// The version of ``SecKeychainSettings``.
public var SEC_KEYCHAIN_SETTINGS_VERS1: Int32 { 1 }

private let never = UInt32(Int32.max)

/// Writes when a keychain locks.
///
/// - Parameter keychain: Nil for the one that `lanyard unlock` unlocks.
@discardableResult
public func SecKeychainCopySettings(
    _ keychain: SecKeychain?, _ outSettings: UnsafeMutablePointer<SecKeychainSettings>
) -> Int32 {
    status { () throws(KeychainError) in
        let keychains = try UserKeychains()
        let settings = try keychains.settings(
            of: try keychain.named(in: keychains.configuration))
        // Safe: the caller's memory.
        unsafe outSettings.pointee = SecKeychainSettings(
            version: UInt32(SEC_KEYCHAIN_SETTINGS_VERS1), lockOnSleep: settings.locksOnSleep,
            useLockInterval: settings.lockAfter != nil, lockInterval: settings.lockAfter ?? never)
    }
}

/// Changes when a keychain locks, for every program of the user. Whether it locks with the screen stays.
///
/// - Parameter keychain: As for ``SecKeychainCopySettings(_:_:)``.
@discardableResult
public func SecKeychainSetSettings(
    _ keychain: SecKeychain?, _ newSettings: UnsafePointer<SecKeychainSettings>
) -> Int32 {
    status { () throws(KeychainError) in
        // Safe: the caller's memory.
        let new = unsafe newSettings.pointee
        guard new.version == UInt32(SEC_KEYCHAIN_SETTINGS_VERS1), new.lockInterval > 0 else {
            throw KeychainError(.param)
        }
        var keychains = try UserKeychains()
        let name = try keychain.named(in: keychains.configuration)
        var settings = try keychains.settings(of: name)
        settings.lockAfter = new.lockInterval < never ? new.lockInterval : nil
        settings.locksOnSleep = new.lockOnSleep
        try keychains.setSettings(settings, of: name)
    }
}
