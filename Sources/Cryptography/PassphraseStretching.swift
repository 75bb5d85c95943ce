internal import CSodium
package import Secrets

/// How a key is made from a passphrase, at a price for each guess: Argon2id, RFC 9106, with one lane.
package struct PassphraseStretching: Hashable, Sendable {
    /// 16 random bytes.
    package let salt: [UInt8]
    /// How much memory it takes, in KiB.
    package let memory: UInt32
    /// How many times it goes over the memory.
    package let passes: UInt32

    /// How many bytes a salt has.
    package static let saltSize = 16

    private static let memoryOfToday: UInt32 = 128 << 10
    private static let passesOfToday: UInt32 = 3
    private static let leastMemory = memoryOfToday / 4

    /// What Lanyard itself sets: 128 MiB and three passes, about a third of a second.
    ///
    /// - Parameter salt: 16 random bytes.
    package init(salt: [UInt8]) {
        self.salt = salt
        memory = PassphraseStretching.memoryOfToday
        passes = PassphraseStretching.passesOfToday
    }

    /// Parameters that come out of a file: so bounded that no file makes a program compute for hours.
    ///
    /// - Throws: ``Status/decode`` for less than 32 MiB, and for more than twice the memory or the time of
    ///   what Lanyard itself sets.
    package init(salt: [UInt8], memory: UInt32, passes: UInt32) throws(KeychainError) {
        let most = PassphraseStretching.memoryOfToday * 2
        let work = UInt64(most) * UInt64(PassphraseStretching.passesOfToday)
        guard salt.count == PassphraseStretching.saltSize,
            (PassphraseStretching.leastMemory...most).contains(memory),
            passes > 0, UInt64(memory) * UInt64(passes) <= work
        else {
            throw KeychainError(.decode)
        }
        self.init(unchecked: salt, memory: memory, passes: passes)
    }

    /// Parameters that need not be in bounds.
    init(unchecked salt: [UInt8], memory: UInt32, passes: UInt32) {
        self.salt = salt
        self.memory = memory
        self.passes = passes
    }

    /// The key, 32 bytes.
    ///
    /// The corresponding C function is `crypto_pwhash`.
    ///
    /// - Throws: ``Status/allocate`` if there is not so much memory.
    package func key(_ passphrase: borrowing Secret) throws(KeychainError) -> Secret {
        precondition(salt.count == PassphraseStretching.saltSize, "a salt has 16 bytes")
        Sodium.setUp()
        // Safe: libsodium is told the passphrase's own count, reads the 16 bytes of the salt, and writes the
        // 32 of the memory, which nobody has another type for. A secret's memory is never nil.
        return try unsafe Secret(capacity: 32) { key throws(KeychainError) in
            let output = unsafe key.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let result = passphrase.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { text in
                    unsafe crypto_pwhash_argon2id(
                        output, 32, text.baseAddress!.assumingMemoryBound(to: CChar.self),
                        UInt64(text.count), salt, UInt64(passes), Int(memory) << 10,
                        crypto_pwhash_argon2id_ALG_ARGON2ID13)
                }
            }
            // libsodium leaves the key there, below blocks of memory.
            sodium_stackzero(32768)
            guard result == 0 else {
                throw KeychainError(
                    .allocate, "there is not enough memory to make a key from the passphrase")
            }
            return 32
        }
    }
}
