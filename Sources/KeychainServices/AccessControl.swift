/// Conditions for reading an item's secret, beyond its accessibility.
///
/// Only the default, without flags, can be stored. The keychain refuses any other with
/// ``Status/param``: a condition that is stored but not enforced would be a false promise. The
/// corresponding type is SecAccessControl.
public struct AccessControl: Hashable, Sendable {
    /// The conditions. The corresponding type is SecAccessControlCreateFlags.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// Creates a set from its bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The user must be present. The corresponding flag is kSecAccessControlUserPresence.
        public static let userPresence = Flags(rawValue: 1 << 0)
        /// The user must enter the passphrase. The corresponding flag is
        /// kSecAccessControlDevicePasscode.
        public static let devicePasscode = Flags(rawValue: 1 << 4)
        /// The application must supply a password. The corresponding flag is
        /// kSecAccessControlApplicationPassword.
        public static let applicationPassword = Flags(rawValue: 1 << 31)
    }

    /// The accessibility to which the conditions are added.
    public var accessible: Accessibility
    /// The conditions, none by default.
    public var flags: Flags

    /// Adds conditions to an accessibility.
    public init(accessible: Accessibility = .whenUnlocked, flags: Flags = []) {
        self.accessible = accessible
        self.flags = flags
    }
}
