import LanyardSecrets

@testable import LanyardCertificates

/// A PKCS #12 file in the making, whose check sum is right whatever is in it.
struct PKCS12Draft {
    /// The parts: ContentInfo of RFC 5652.
    var parts: [[UInt8]]
    /// Nil for a file without a password, which differs from an empty one.
    var password: String? = "secret"
    var iterations: [UInt8] = [1]
    /// Another algorithm of the check sum, which is wrong then.
    var algorithm: [UInt8]?

    var file: [UInt8] {
        let safes = DER.element(0x30, parts.flatMap(\.self))
        let salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let digest = Self.authenticate(safes, Self.key(password, salt))
        let algorithm =
            self.algorithm ?? DER.sequence(DER.identifier("2.16.840.1.101.3.4.2.1"), [5, 0])
        return DER.sequence(
            DER.integer([3]), Self.data(safes),
            DER.sequence(
                DER.sequence(algorithm, DER.octetString(digest)), DER.octetString(salt),
                DER.integer(iterations)))
    }

    /// A part that is not encrypted.
    static func data(_ content: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.identifier("1.2.840.113549.1.7.1"),
            DER.element(0xA0, DER.octetString(content)))
    }

    static func part(_ bags: [UInt8]...) -> [UInt8] {
        data(DER.element(0x30, bags.flatMap(\.self)))
    }

    /// A bag: its type is the last number of the identifier.
    static func bag(_ type: Int, _ value: [UInt8], name: String? = nil) -> [UInt8] {
        let attributes = name.map {
            DER.set(
                DER.sequence(DER.identifier("1.2.840.113549.1.9.20"), DER.set(DER.bmp($0))))
        }
        return DER.sequence(
            DER.identifier("1.2.840.113549.1.12.10.1.\(type)"), DER.element(0xA0, value),
            attributes ?? [])
    }

    static func key(_ key: PrivateKey, name: String? = nil) throws -> [UInt8] {
        bag(1, try key.pkcs8().publicBytes(), name: name)
    }

    /// A key in a bag that asks for a number of iterations, which doesn't decrypt.
    static func encryptedKey(_ algorithm: [UInt8]) -> [UInt8] {
        bag(2, DER.sequence(algorithm, DER.octetString(Array(repeating: 7, count: 64))))
    }

    static func certificate(_ der: [UInt8], name: String? = nil) -> [UInt8] {
        let value = DER.sequence(
            DER.identifier("1.2.840.113549.1.9.22.1"), DER.element(0xA0, DER.octetString(der)))
        return bag(3, value, name: name)
    }

    /// RFC 7292, appendix B.2, with one iteration.
    private static func key(_ password: String?, _ salt: [UInt8]) -> [UInt8] {
        var characters: [UInt8] = []
        if let password {
            characters = password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + [0, 0]
        }
        let input = Array(repeating: 3, count: 64) + filled(salt) + filled(characters)
        return Libcrypto.digest(input.span, .sha256)
    }

    /// The bytes again and again, until they fill blocks.
    private static func filled(_ bytes: [UInt8]) -> [UInt8] {
        (0..<(bytes.count + 63) / 64 * 64).map { bytes[$0 % bytes.count] }
    }

    /// HMAC with SHA-256.
    private static func authenticate(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let key = key + Array(repeating: 0, count: 64 - key.count)
        let inner = key.map { $0 ^ 0x36 } + message
        let outer = key.map { $0 ^ 0x5C } + Libcrypto.digest(inner.span, .sha256)
        return Libcrypto.digest(outer.span, .sha256)
    }
}

/// AlgorithmIdentifiers that ask for work.
enum PasswordAlgorithm {
    static func number(_ value: Int) -> [UInt8] {
        let bytes = Array(value.bigEndianBytes.drop { $0 == 0 })
        return DER.integer(bytes[0] < 0x80 ? bytes : [0] + bytes)
    }

    /// RFC 8018, appendix A.4.
    static func pbes2(_ function: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.identifier("1.2.840.113549.1.5.13"),
            DER.sequence(
                function,
                DER.sequence(
                    DER.identifier("2.16.840.1.101.3.4.1.42"),
                    DER.octetString(Array(repeating: 1, count: 16)))))
    }

    static func pbkdf2(_ iterations: Int) -> [UInt8] {
        pbes2(
            DER.sequence(
                DER.identifier("1.2.840.113549.1.5.12"),
                DER.sequence(DER.octetString([1, 2, 3, 4, 5, 6, 7, 8]), number(iterations))))
    }

    static func scrypt(_ cost: Int, _ blockSize: Int, _ parallelization: Int) -> [UInt8] {
        pbes2(
            DER.sequence(
                DER.identifier("1.3.6.1.4.1.11591.4.11"),
                DER.sequence(
                    DER.octetString([1, 2, 3, 4, 5, 6, 7, 8]), number(cost), number(blockSize),
                    number(parallelization))))
    }

    /// PBMAC1: RFC 9579, section 4.
    static func pbmac1(_ iterations: Int) -> [UInt8] {
        let digest = DER.sequence(DER.identifier("1.2.840.113549.2.9"), [5, 0])
        return DER.sequence(
            DER.identifier("1.2.840.113549.1.5.14"),
            DER.sequence(
                DER.sequence(
                    DER.identifier("1.2.840.113549.1.5.12"),
                    DER.sequence(
                        DER.octetString([1, 2, 3, 4, 5, 6, 7, 8]), number(iterations), number(32),
                        digest)), digest))
    }

    /// PKCS #12's own, with 3DES: RFC 7292, appendix C.
    static func pbes1(_ iterations: Int, _ last: Int = 3) -> [UInt8] {
        DER.sequence(
            DER.identifier("1.2.840.113549.1.12.1.\(last)"),
            DER.sequence(DER.octetString([1, 2, 3, 4, 5, 6, 7, 8]), number(iterations)))
    }
}
