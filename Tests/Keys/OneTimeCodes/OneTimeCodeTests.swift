import TestSupport
import LanyardSecrets
import Testing

@testable import OneTimeCodes

/// TOTP: RFC 6238.
@Suite("one-time codes")
struct OneTimeCodeTests {
    private func text(_ secret: borrowing Secret) -> String {
        secret.withBytes { bytes in
            bytes.indices.map { index in String(UnicodeScalar(bytes[index])) }.joined()
        }
    }

    private func code(_ url: String, at seconds: Int64) throws -> String {
        text(try OneTimeCodeKey(url: Secret(url)).code(at: Timestamp(secondsSinceEpoch: seconds)))
    }

    /// RFC 6238, appendix B; the keys are those of its program.
    @Test(
        arguments: [
            (59, "94287082", "46119246", "90693936"),
            (1_111_111_109, "07081804", "68084774", "25091201"),
            (1_111_111_111, "14050471", "67062674", "99943326"),
            (1_234_567_890, "89005924", "91819424", "93441116"),
            (2_000_000_000, "69279037", "90698825", "38618901"),
            (20_000_000_000, "65353130", "77737706", "47863826"),
        ] as [(Int64, String, String, String)])
    func isThatOfTheStandard(seconds: Int64, sha1: String, sha256: String, sha512: String) throws {
        let digits = Array("1234567890".utf8)
        for (algorithm, count, expected) in [
            ("SHA1", 20, sha1), ("SHA256", 32, sha256), ("SHA512", 64, sha512),
        ] {
            let key = base32((0..<count).map { digits[$0 % 10] })
            let url = "otpauth://totp/x?secret=\(key)&digits=8&algorithm=\(algorithm)"
            #expect(try code(url, at: seconds) == expected)
            #expect(
                try code(url.replacing("digits=8", with: "digits=6"), at: seconds)
                    == String(expected.suffix(6)))
            #expect(
                try code("\(url)&period=60", at: seconds * 2) == expected)
        }
    }

    @Test func secondsLeft() throws {
        let key = try OneTimeCodeKey(url: Secret("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ"))
        #expect(key.secondsLeft(at: Timestamp(secondsSinceEpoch: 60)) == 30)
        #expect(key.secondsLeft(at: Timestamp(secondsSinceEpoch: 89)) == 1)
    }

    @Test(arguments: [
        "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezd gnbv gy3t qojq gezd gnbv gy3t qojq\n",
        "GEZD-GNBV-GY3T-QOJQ-GEZD-GNBV-GY3T-QOJQ====",
        " otpauth://totp/Example:ada%40example.com?issuer=Example&secret=gezdgnbvgy3tqojqgezdgnbvgy3tqojq",
        "OTPAUTH://TOTP/?SECRET=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ%3D%3D&algorithm=sha1&digits=6&period=30#x",
    ])
    func formsOfOneKey(form: String) throws {
        let url = text(try OneTimeCodeKey.url(of: Secret(form), label: "ada@x"))
        #expect(try code(url, at: 1_111_111_109) == "081804")
        if !form.lowercased().contains("otpauth") {
            #expect(
                url == "otpauth://totp/ada%40x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        }
    }

    @Test(arguments: [
        "", "ABC", "not a key!", "GEZDGNBVGY3TQOJ1", "GEZD=GNBVGY3TQOJQ",
        "otpauth://totp/x", "otpauth://totp/x?secret=", "otpauth://totp/x?secret=ABC",
        "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ&counter=1", "otpauth://x?secret=GEZDGNBVGY3TQOJQ",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=5",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=9",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=0",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=99999999999999999999",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5", "steam://GEZDGNBVGY3TQOJQ",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=sha\u{11}&digits=6",
        "otpauth-migration://offline?data=GEZDGNBVGY3TQOJQ",
        "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&encoder=steam",
        "otpauth://totp/x?encoder=Steam&secret=GEZDGNBVGY3TQOJQ",
        "otpauth://steam/x?secret=GEZDGNBVGY3TQOJQ",
    ])
    func invalidKeysAreErrors(form: String) {
        #expect(throws: KeychainError(.param)) {
            _ = try OneTimeCodeKey.url(of: Secret(form), label: "x")
        }
    }

    /// Encodes as RFC 4648 says, bit by bit.
    private func base32(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        bits += Array(repeating: 0, count: (5 - bits.count % 5) % 5)
        return stride(from: 0, to: bits.count, by: 5).map { start in
            String(alphabet[bits[start..<start + 5].reduce(0) { $0 << 1 | Int($1) }])
        }.joined()
    }

    /// Of any key, in either letter case, with padding and groups.
    @Test func base32IsDecoded() throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            let bytes = random.bytes(5 + random.number(below: 60))
            var digits = base32(bytes)
            #expect(digits.count == (bytes.count * 8 + 4) / 5)
            if random.chance(50) {
                digits = digits.lowercased()
            }
            if random.chance(50) {
                digits = digits.map { random.chance(25) ? "\($0) " : "\($0)" }.joined()
            }
            digits += String(repeating: "=", count: random.number(below: 7))
            let decoded = Base32.decode(Array(digits.utf8).span)?.isEqual(
                to: Secret(copying: bytes.span))
            #expect(decoded == true, "\(bytes)")
        }
    }

    @Test func anythingIsRead() {
        var random = SeededRandom()
        let url = Array(
            "otpauth://totp/x%?secret=GEZDGNBV%47&digits=7&period=3&algorithm=SHA1".utf8)
        for _ in 0..<500 {
            let bytes = random.mutated(random.mutated(url))
            _ = try? OneTimeCodeKey.url(of: Secret(copying: bytes.span), label: "x").count
        }
    }
}
