/// When an item's secret can be read.
///
/// The corresponding key is kSecAttrAccessible.
public enum Accessibility: UInt8, CaseIterable, Hashable, Sendable {
    /// While the keychain is unlocked. The corresponding constant is
    /// kSecAttrAccessibleWhenUnlocked.
    case whenUnlocked = 1
    /// From the first unlock until a restart. The corresponding constant is
    /// kSecAttrAccessibleAfterFirstUnlock.
    case afterFirstUnlock = 2
    /// Always, even while locked. The corresponding constant is kSecAttrAccessibleAlways.
    case always = 3
    /// While unlocked, and on this machine only. The corresponding constant is
    /// kSecAttrAccessibleWhenUnlockedThisDeviceOnly.
    case whenUnlockedThisDeviceOnly = 4
    /// From the first unlock, and on this machine only. The corresponding constant is
    /// kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly.
    case afterFirstUnlockThisDeviceOnly = 5
    /// Always, and on this machine only. The corresponding constant is
    /// kSecAttrAccessibleAlwaysThisDeviceOnly.
    case alwaysThisDeviceOnly = 6
    /// While unlocked, on this machine only, and only while the keychain has a passphrase. The
    /// corresponding constant is kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly.
    case whenPasscodeSetThisDeviceOnly = 7

    /// The code of two to four letters that Keychain Services stores.
    public var code: String {
        switch self {
        case .whenUnlocked: "ak"
        case .afterFirstUnlock: "ck"
        case .always: "dk"
        case .whenUnlockedThisDeviceOnly: "aku"
        case .afterFirstUnlockThisDeviceOnly: "cku"
        case .alwaysThisDeviceOnly: "dku"
        case .whenPasscodeSetThisDeviceOnly: "akpu"
        }
    }

    /// Returns the accessibility with this code, nil if there is none.
    public init?(code: String) {
        guard let match = Accessibility.allCases.first(where: { $0.code == code }) else {
            return nil
        }
        self = match
    }

    /// Whether the secret can never be read on another machine.
    public var isThisDeviceOnly: Bool {
        switch self {
        case .whenUnlocked, .afterFirstUnlock, .always: false
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
            .whenPasscodeSetThisDeviceOnly:
            true
        }
    }
}
