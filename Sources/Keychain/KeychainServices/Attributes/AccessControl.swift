/// Conditions for reading an item's secret, beyond its accessibility.
///
/// A keychain that can't enforce the conditions refuses the item with ``Status/unimplemented``. The
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

        /// The user must be present: touch an enrolled security key, or enter the passphrase. The
        /// corresponding flag is kSecAccessControlUserPresence.
        public static let userPresence = Flags(rawValue: 1 << 0)
        /// Any enrolled finger or face: kSecAccessControlBiometryAny. Lanyard can't enforce it.
        public static let biometryAny = Flags(rawValue: 1 << 1)
        /// A finger or face that is enrolled now: kSecAccessControlBiometryCurrentSet. Lanyard can't
        /// enforce it.
        public static let biometryCurrentSet = Flags(rawValue: 1 << 3)
        /// The user must enter the passphrase. The corresponding flag is
        /// kSecAccessControlDevicePasscode.
        public static let devicePasscode = Flags(rawValue: 1 << 4)
        /// A companion device nearby: kSecAccessControlCompanion. Lanyard can't enforce it.
        public static let companion = Flags(rawValue: 1 << 5)
        /// One of several conditions is enough: kSecAccessControlOr.
        public static let or = Flags(rawValue: 1 << 14)
        /// Several conditions are all needed: kSecAccessControlAnd.
        public static let and = Flags(rawValue: 1 << 15)
        /// A private key may be used: kSecAccessControlPrivateKeyUsage. It adds no condition, and only keys
        /// can have it.
        public static let privateKeyUsage = Flags(rawValue: 1 << 30)
        /// The application must supply a password, beside the other conditions. The corresponding
        /// flag is kSecAccessControlApplicationPassword.
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

    /// What it takes to read a secret.
    package struct Requirements: Hashable, Sendable {
        /// The keychain's passphrase, or its recovery key, at each use.
        ///
        /// A touch of an enrolled security key is enough, unless it has to be the passphrase.
        package var passphrase = false
        /// Whether it has to be the passphrase itself, as for ``Flags/devicePasscode``.
        package var passcode = false
        /// The application's password.
        package var applicationPassword = false

        package init() {}

        package var isEmpty: Bool { !passphrase && !applicationPassword }
    }

    /// What it takes to meet the conditions.
    ///
    /// The passphrase shows that the user is present. It also meets conditions of which one is
    /// enough, whatever the others are.
    ///
    /// - Throws: ``Status/unimplemented`` for a condition that takes hardware; ``Status/param`` for
    ///   several conditions without ``Flags/or`` or ``Flags/and``, for both of these and for unknown
    ///   flags.
    package var requirements: Requirements {
        get throws(KeychainError) {
            var requirements = Requirements()
            guard flags.rawValue != 0 else {
                return requirements
            }
            guard flags.subtracting(.known).isEmpty, !flags.isSuperset(of: [.or, .and]) else {
                throw KeychainError(.param, "an item can't have these access control flags")
            }
            requirements.applicationPassword = flags.contains(.applicationPassword)
            let conditions = flags.intersection(.conditions)
            guard !conditions.isEmpty else {
                return requirements
            }
            guard conditions.isSingle || !flags.isDisjoint(with: [.or, .and]) else {
                throw KeychainError(
                    .param, "several access control conditions need the flag 'or' or 'and'")
            }
            let enforceable = conditions.intersection(.byPassphrase)
            guard flags.contains(.or) ? !enforceable.isEmpty : enforceable == conditions else {
                throw KeychainError(
                    .unimplemented, "Lanyard can't check fingers, faces or companion devices")
            }
            requirements.passphrase = true
            requirements.passcode =
                flags.contains(.or)
                ? !conditions.contains(.userPresence) : conditions.contains(.devicePasscode)
            return requirements
        }
    }
}

extension AccessControl.Flags {
    fileprivate static let byPassphrase: Self = [.userPresence, .devicePasscode]
    fileprivate static let conditions: Self = [
        .byPassphrase, .biometryAny, .biometryCurrentSet, .companion,
    ]
    fileprivate static let known: Self = [
        .conditions, .or, .and, .privateKeyUsage, .applicationPassword,
    ]

    fileprivate var isSingle: Bool { rawValue.nonzeroBitCount == 1 }

    /// The names of the flags that are set, as in Keychain Services, in the order of their bits.
    package var names: [StaticString] {
        let all: [(Self, StaticString)] = [
            (.userPresence, "userPresence"), (.biometryAny, "biometryAny"),
            (.biometryCurrentSet, "biometryCurrentSet"), (.devicePasscode, "devicePasscode"),
            (.companion, "companion"), (.or, "or"), (.and, "and"),
            (.privateKeyUsage, "privateKeyUsage"), (.applicationPassword, "applicationPassword"),
        ]
        return all.filter { contains($0.0) }.map { $0.1 }
    }
}
