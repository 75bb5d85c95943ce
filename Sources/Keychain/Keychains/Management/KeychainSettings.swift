/// When a keychain in a sealed file locks. The corresponding type is SecKeychainSettings.
public struct KeychainSettings: Hashable, Sendable {
    /// After how many seconds it locks, from 1 to 2³¹ − 1; nil for never.
    public var lockAfter: UInt32?
    /// Whether it locks before the machine sleeps.
    public var locksOnSleep: Bool
    /// Whether it locks with the screen.
    public var locksOnScreenLock: Bool

    /// Creates settings, by default those of a new keychain.
    public init(
        lockAfter: UInt32? = 8 * 3600, locksOnSleep: Bool = false, locksOnScreenLock: Bool = false
    ) {
        self.lockAfter = lockAfter
        self.locksOnSleep = locksOnSleep
        self.locksOnScreenLock = locksOnScreenLock
    }
}

/// What happens on a desktop or laptop that locks the keychains whose settings say so.
public enum LockEvent: String, CaseIterable, Hashable, Sendable {
    /// The machine is about to sleep.
    case sleep
    /// The screen was locked.
    case screenLock = "screen-lock"

    func locks(_ settings: KeychainSettings) -> Bool {
        switch self {
        case .sleep: settings.locksOnSleep
        case .screenLock: settings.locksOnScreenLock
        }
    }
}
