internal import LanyardSecrets

/// OpenBSD's `bcrypt_pbkdf`, with which OpenSSH encrypts private keys: PBKDF2 around a bcrypt with
/// SHA-512.
enum BcryptKeyDerivation {
    /// The largest number of rounds that is accepted: some twenty seconds. ssh-keygen makes 16 or 24.
    static let roundLimit = 2000

    /// Returns a key of a password.
    static func derive(
        _ password: borrowing Secret, salt: [UInt8], rounds: Int, count: Int
    ) throws(KeychainError) -> Secret {
        guard (1...roundLimit).contains(rounds) else {
            throw PasswordWork.tooMuch
        }
        let password = password.withBytes { $0.secretDigest(.sha512) }
        let blockCount = (count + 31) / 32
        var blocks = SecretBuilder(capacity: blockCount * 32)
        for number in 1...blockCount {
            blocks.append(block(password, salt + UInt32(number).bigEndianBytes, rounds: rounds))
        }
        // The blocks' bytes take turns.
        return blocks.finish().withBytes { blocks in
            var key = SecretBuilder(capacity: count)
            for index in 0..<count {
                key.append(blocks[index % blockCount * 32 + index / blockCount])
            }
            return key.finish()
        }
    }

    private static func block(
        _ password: borrowing Secret, _ salt: [UInt8], rounds: Int
    ) -> Secret {
        var output = hash(password, salt: salt.span.secretDigest(.sha512))
        var sum = output.copy()
        for _ in 1..<rounds {
            output = hash(password, salt: output.withBytes { $0.secretDigest(.sha512) })
            sum = exclusiveOr(sum, output)
        }
        return sum
    }

    /// Returns 32 bytes of two texts of 64. The corresponding function of OpenBSD's is `bcrypt_hash`.
    private static func hash(_ password: borrowing Secret, salt: borrowing Secret) -> Secret {
        let cipher = salt.withBytes { salt in
            password.withBytes { password in Blowfish(salt: salt, password: password) }
        }
        for _ in 0..<64 {
            salt.withBytes { cipher.mix($0) }
            password.withBytes { cipher.mix($0) }
        }
        let text: StaticString = "OxychromaticBlowfishSwatDynamite"
        var result = SecretBuilder(capacity: 32)
        for block in stride(from: 0, to: 32, by: 8) {
            var left = word(of: text, at: block)
            var right = word(of: text, at: block + 4)
            for _ in 0..<64 {
                cipher.encrypt(&left, &right)
            }
            for word in [left, right] {
                for byte in word.bigEndianBytes.reversed() {
                    result.append(byte)
                }
            }
        }
        return result.finish()
    }

    private static func word(of text: StaticString, at index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(text.byte(at: index + $1)) }
    }

    private static func exclusiveOr(_ left: borrowing Secret, _ right: borrowing Secret) -> Secret {
        left.withBytes { left in
            right.withBytes { right in
                var result = SecretBuilder(capacity: left.count)
                for index in left.indices {
                    result.append(left[index] ^ right[index])
                }
                return result.finish()
            }
        }
    }
}
