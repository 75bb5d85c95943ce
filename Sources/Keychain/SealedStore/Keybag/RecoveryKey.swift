internal import LanyardCryptography
package import KeychainServices
internal import LinuxSystem

/// The key that opens a keychain after the loss of passphrase and machine: 20 random bytes for the
/// user to write down.
///
/// Its text is 9 groups of 4 characters of Crockford's base32 alphabet. 32 characters are the key,
/// and 4 are a checksum: the first 20 bits of a key derived from it.
package struct RecoveryKey: ~Copyable {
    /// The 20 bytes.
    package let key: Secret

    private init(_ key: consuming Secret) {
        self.key = key
    }

    /// Creates a random key.
    package static func make() throws(KeychainError) -> RecoveryKey {
        let random = try RandomBytes.makeKey()
        return RecoveryKey(random.withBytes { Secret(copying: $0.extracting(first: 20)) })
    }

    /// Returns the key that the user typed. Letter case, blanks and dashes are ignored; I and L
    /// mean 1, O means 0.
    ///
    /// - Returns: nil if the text does not have the form of a recovery key: it may be a passphrase.
    /// - Throws: ``Status/authFailed`` if it has, but the checksum is wrong.
    package static func read(_ text: borrowing Secret) throws(KeychainError) -> RecoveryKey? {
        guard let digits = CrockfordBase32.digits(of: text), digits.count == digitCount else {
            return nil
        }
        let key = digits.withBytes { digits in
            RecoveryKey(CrockfordBase32.bytes(of: digits.extracting(first: keyDigitCount)))
        }
        guard key.digits.isEqual(to: digits) else {
            throw KeychainError(
                .authFailed, "the recovery key is mistyped",
                hint: "compare it with what you wrote down: 9 groups of 4 letters and digits")
        }
        return key
    }

    /// The text for the user to write down: 44 characters.
    package var text: Secret {
        var text = SecretBuilder(capacity: 44)
        digits.withBytes { digits in
            for index in digits.indices {
                if index > 0, index % 4 == 0 {
                    text.append(UInt8(ascii: "-"))
                }
                text.append(CrockfordBase32.character(digits[index]))
            }
        }
        return text.finish()
    }

    /// The key's id: 16 bytes that reveal nothing about it.
    package var id: [UInt8] {
        let derived = KeyDerivation.derive(key, label: "lanyard recovery key id")
        return derived.withBytes { ByteString(copying: $0.extracting(first: 16)).bytes }
    }

    private static let keyDigitCount = 32
    private static let digitCount = 36

    /// The 36 characters of the text, each as its value from 0 to 31.
    private var digits: Secret {
        var digits = SecretBuilder(capacity: RecoveryKey.digitCount)
        key.withBytes { CrockfordBase32.append($0, RecoveryKey.keyDigitCount, to: &digits) }
        checksum.withBytes {
            CrockfordBase32.append(
                $0, RecoveryKey.digitCount - RecoveryKey.keyDigitCount, to: &digits)
        }
        return digits.finish()
    }

    private var checksum: Secret {
        KeyDerivation.derive(key, label: "lanyard recovery key checksum")
    }
}
