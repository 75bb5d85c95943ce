internal import CSodium
package import LanyardSecrets

/// The derivation of a key from a passphrase, which makes each guess expensive: Argon2id, RFC 9106,
/// with one lane.
package struct PassphraseStretching: Hashable, Sendable {
    /// 16 random bytes.
    package let salt: [UInt8]
    /// The memory it takes, in KiB.
    package let memory: UInt32
    /// The number of passes over the memory.
    package let passes: UInt32

    /// The size of a salt in bytes.
    package static let saltSize = 16

    private static let memoryOfToday: UInt32 = 128 << 10
    private static let passesOfToday: UInt32 = 3
    private static let leastMemory = memoryOfToday / 4

    /// Creates Lanyard's own parameters: 128 MiB and three passes, about a third of a second.
    ///
    /// - Parameter salt: 16 random bytes.
    package init(salt: [UInt8]) {
        self.salt = salt
        memory = PassphraseStretching.memoryOfToday
        passes = PassphraseStretching.passesOfToday
    }

    /// Creates parameters from a file, within bounds: no file can make a program compute for hours.
    ///
    /// - Throws: ``Status/decode`` for less than 32 MiB, and for more than twice the memory or the
    ///   time of Lanyard's own parameters.
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

    /// Creates parameters without checking their bounds.
    init(unchecked salt: [UInt8], memory: UInt32, passes: UInt32) {
        self.salt = salt
        self.memory = memory
        self.passes = passes
    }

    /// Returns the key, 32 bytes.
    ///
    /// The corresponding C function is `crypto_pwhash`.
    ///
    /// - Throws: ``Status/allocate`` if there is not enough memory.
    package func key(_ passphrase: borrowing Secret) throws(KeychainError) -> Secret {
        precondition(salt.count == PassphraseStretching.saltSize, "a salt has 16 bytes")
        Sodium.setUp()
        // Safe: libsodium gets the passphrase's own count, reads the 16 bytes of the salt, and
        // writes the 32 bytes of the memory, which has no other type.
        return try unsafe Secret(capacity: 32) { key throws(KeychainError) in
            let output = unsafe key.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let result = passphrase.withBytes { bytes in
                unsafe bytes.withAddress { text, count in
                    unsafe crypto_pwhash_argon2id(
                        output, 32, UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self),
                        UInt64(count), salt, UInt64(passes), Int(memory) << 10,
                        crypto_pwhash_argon2id_ALG_ARGON2ID13)
                }
            }
            // libsodium leaves the key there, below blocks of memory.
            sodium_stackzero(32768)
            guard result == 0 else {
                throw KeychainError(
                    .allocate, "not enough memory to derive a key from the passphrase")
            }
            return 32
        }
    }
}
