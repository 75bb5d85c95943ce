internal import CSodium

/// Calls that concern libsodium as a whole.
enum Sodium {
    private static let isSetUp = sodium_init() >= 0

    /// Lets libsodium detect the processor's features; repeated calls do nothing.
    static func setUp() {
        precondition(isSetUp, "libsodium can be set up")
    }

    /// Overwrites what a call leaves on the stack below its caller's frame: keys, and texts that
    /// were combined with them.
    static func wipeStack() {
        sodium_stackzero(4096)
    }
}
