internal import Cryptography
package import KeychainServices
internal import LinuxSystem

/// The key that opens a keychain when passphrase and machine are lost: 20 random bytes that a
/// person writes down.
///
/// Its text is 9 groups of 4 characters of Crockford's base32 alphabet: 32 characters of key and 4
/// of checksum, which are the first 20 bits of a key derived from it.
package struct RecoveryKey: ~Copyable {
    /// The 20 bytes.
    package let key: Secret

    private init(_ key: consuming Secret) {
        self.key = key
    }

    /// A new one.
    package static func make() throws(KeychainError) -> RecoveryKey {
        let random = try RandomBytes.makeKey()
        return RecoveryKey(random.withBytes { Secret(copying: $0.extracting(first: 20)) })
    }

    /// The key that a person typed. Letter case, blanks and dashes don't matter, I and L are 1, O
    /// is 0.
    ///
    /// - Returns: nil if the text does not have the form of a recovery key: it may be a passphrase.
    /// - Throws: ``Status/authFailed`` if it has, and the checksum is not right.
    package static func read(_ text: borrowing Secret) throws(KeychainError) -> RecoveryKey? {
        guard let digits = Base32.digits(of: text), digits.count == digitCount else {
            return nil
        }
        let key = digits.withBytes { digits in
            RecoveryKey(Base32.bytes(of: digits.extracting(first: keyDigitCount)))
        }
        guard key.digits.isEqual(to: digits) else {
            throw KeychainError(
                .authFailed, "the recovery key has a typing error",
                hint: "compare it with what you wrote down: 9 groups of 4 letters and digits")
        }
        return key
    }

    /// What a person writes down: 44 characters.
    package var text: Secret {
        var text = SecretBuilder(capacity: 44)
        digits.withBytes { digits in
            for index in digits.indices {
                if index > 0, index % 4 == 0 {
                    text.append(UInt8(ascii: "-"))
                }
                text.append(Base32.character(digits[index]))
            }
        }
        return text.finish()
    }

    /// 16 bytes that name the key and tell nothing about it.
    package var id: [UInt8] {
        let derived = KeyDerivation.derive(key, label: "lanyard recovery key id")
        return derived.withBytes { ByteString(copying: $0.extracting(first: 16)).bytes }
    }

    private static let keyDigitCount = 32
    private static let digitCount = 36

    /// The 36 characters of the text, each as its value from 0 to 31.
    private var digits: Secret {
        var digits = SecretBuilder(capacity: RecoveryKey.digitCount)
        key.withBytes { Base32.append($0, RecoveryKey.keyDigitCount, to: &digits) }
        checksum.withBytes {
            Base32.append($0, RecoveryKey.digitCount - RecoveryKey.keyDigitCount, to: &digits)
        }
        return digits.finish()
    }

    private var checksum: Secret {
        KeyDerivation.derive(key, label: "lanyard recovery key checksum")
    }
}
