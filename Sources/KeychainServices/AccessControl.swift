/// Conditions beyond an item's accessibility under which its secret may be read.
///
/// Only the default, with no flag, can be stored; any other is refused with ``Status/param``,
/// because a condition that is stored but not enforced would be a false promise. The corresponding
/// type is SecAccessControl.
public struct AccessControl: Hashable, Sendable {
    /// The conditions. The corresponding type is SecAccessControlCreateFlags.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt32

        /// The conditions whose bits are set.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// A person has to be present. The corresponding flag is
        /// kSecAccessControlUserPresence.
        public static let userPresence = Flags(rawValue: 1 << 0)
        /// The passphrase has to be given. The corresponding flag is
        /// kSecAccessControlDevicePasscode.
        public static let devicePasscode = Flags(rawValue: 1 << 4)
        /// The application has to give a password. The corresponding flag is
        /// kSecAccessControlApplicationPassword.
        public static let applicationPassword = Flags(rawValue: 1 << 31)
    }

    /// The accessibility that the conditions are added to.
    public var accessible: Accessibility
    /// The conditions, none by default.
    public var flags: Flags

    /// Conditions added to an accessibility.
    public init(accessible: Accessibility = .whenUnlocked, flags: Flags = []) {
        self.accessible = accessible
        self.flags = flags
    }
}
