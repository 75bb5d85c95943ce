internal import CSodium

/// The library under this module.
enum Sodium {
    private static let isSetUp = sodium_init() >= 0

    /// Lets libsodium find out what the processor can do; from the second time on it does nothing.
    static func setUp() {
        precondition(isSetUp, "libsodium can be set up")
    }

    /// Overwrites what a call leaves on the stack, below its caller's part of it: keys, and what texts were
    /// combined with.
    static func wipeStack() {
        sodium_stackzero(4096)
    }
}
