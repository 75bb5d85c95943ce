internal import LanyardCryptography
internal import LanyardSecrets

/// Codes that two people compare by reading them aloud: the first 80 bits of a digest, in 4 groups of 4
/// characters of Crockford's base32 alphabet.
///
/// To find other bytes with the same code takes 2^80 attempts.
package enum SpokenCode {
    private static let count = 16

    /// Returns the code of public bytes.
    static func text(of bytes: [UInt8]) -> String {
        groups(KeyedDigest.plain(bytes.span), count)
    }

    /// Returns the first digits of some bytes in groups of 4.
    static func groups(_ bytes: [UInt8], _ count: Int) -> String {
        var digits = SecretBuilder(capacity: count)
        CrockfordBase32.append(bytes.span, count, to: &digits)
        return digits.finish().withBytes { digits in
            var text: [UInt8] = []
            for index in digits.indices {
                if index > 0, index % 4 == 0 {
                    text.append(UInt8(ascii: "-"))
                }
                text.append(CrockfordBase32.character(digits[index]))
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Whether a typed code is this one, whatever its letter case, blanks and dashes; I and L mean 1,
    /// O means 0.
    package static func isSame(_ typed: String, _ code: String) -> Bool {
        guard let left = CrockfordBase32.digits(of: Secret(typed)),
            let right = CrockfordBase32.digits(of: Secret(code))
        else {
            return false
        }
        return left.count == count && left.isEqual(to: right)
    }

    /// Whether a user typed at least the first group of a code. This names a device of the team; it is not enough
    /// to compare two codes.
    package static func isBeginning(_ typed: String, of code: String) -> Bool {
        guard let left = CrockfordBase32.digits(of: Secret(typed)),
            let right = CrockfordBase32.digits(of: Secret(code)), left.count >= 4
        else {
            return false
        }
        return left.withBytes { left in
            right.withBytes { right in
                left.count <= right.count && left.indices.allSatisfy { left[$0] == right[$0] }
            }
        }
    }
}
