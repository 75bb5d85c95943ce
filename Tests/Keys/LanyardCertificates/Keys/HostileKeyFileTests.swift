import TestSupport
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// Whatever a file has in it: the answer is a key or an error, soon, and a key that is read can be written
/// and read again.
@Suite struct HostileKeyFileTests {
    /// Every form of one small key of each type, as text and as DER, and lines of SSH.
    private static func files() throws -> [[UInt8]] {
        var files: [[UInt8]] = []
        for sample in [SampleKey.p256, .p521, .ed25519, .x25519, .rsa2048] {
            let key = try sample.generate()
            files += [
                try key.file(.pkcs8).publicBytes(), try key.pkcs8().publicBytes(),
                try key.publicKey.file(.subjectPublicKeyInfo), key.publicKey.subjectPublicKeyInfo,
            ]
            if let traditional = sample.traditional {
                files += [
                    try key.file(traditional).publicBytes(),
                    try key.file(traditional, password: Secret("secret")).publicBytes(),
                ]
            }
            if sample != .x25519 {
                files += [
                    try key.file(.openSSH, comment: "ada").publicBytes(),
                    try key.publicKey.file(.openSSHPublicKey, comment: "ada"),
                ]
            }
            if sample.type == .rsa {
                files += [key.publicKey.externalRepresentation]
                files += [key.externalRepresentation().publicBytes()]
            }
        }
        return files
    }

    @Test func damagedFilesAreKeysOrErrors() throws {
        var random = SeededRandom()
        var (keys, errors) = (0, 0)
        for file in try Self.files() {
            for _ in 0..<40 {
                var bytes = random.mutated(file)
                while random.chance(40) {
                    bytes = random.mutated(bytes)
                }
                if try isKey(bytes) {
                    keys += 1
                } else {
                    errors += 1
                }
            }
            // Every length, in steps.
            for count in stride(from: 0, to: file.count, by: max(1, file.count / 60)) {
                _ = try isKey(Array(file.prefix(count)))
            }
        }
        // Changed comments and words around a block change no key.
        #expect(keys > 0 && errors > 500)
    }

    /// Damage inside the DER and inside OpenSSH's fields, where Base64 doesn't catch it.
    @Test func damagedContentsAreKeysOrErrors() throws {
        var random = SeededRandom()
        for file in try Self.files() {
            var position = 0
            guard let document = try PEMDocument.next(in: file.span, from: &position),
                document.headers.isEmpty
            else {
                continue
            }
            let contents = document.contents.copy().publicBytes()
            for _ in 0..<60 {
                let damaged = Secret(random.mutated(contents))
                let text =
                    switch document.label {
                    case "OPENSSH PRIVATE KEY": PEMDocument.encode("OPENSSH PRIVATE KEY", damaged)
                    case "PRIVATE KEY": PEMDocument.encode("PRIVATE KEY", damaged)
                    case "PUBLIC KEY": PEMDocument.encode("PUBLIC KEY", damaged)
                    case "EC PRIVATE KEY": PEMDocument.encode("EC PRIVATE KEY", damaged)
                    default: PEMDocument.encode("RSA PRIVATE KEY", damaged)
                    }
                _ = try isKey(text.publicBytes())
            }
        }
    }

    /// Whether a file is read; if so, what is written of the key is read as the same one.
    private func isKey(_ bytes: [UInt8]) throws -> Bool {
        let file: KeyFile
        do throws(KeychainError) {
            file = try KeyFile(Secret(bytes), password: Secret("secret"))
        } catch {
            #expect(!error.reason.isEmpty)
            return false
        }
        if let key = file.privateKey {
            let again = try PrivateKey(pkcs8: key.pkcs8())
            let isEqual = again.externalRepresentation().isEqual(to: key.externalRepresentation())
            #expect(isEqual)
        }
        let publicKey = file.publicKey
        let info = publicKey.subjectPublicKeyInfo
        #expect(try PublicKey(subjectPublicKeyInfo: info.span) == publicKey)
        return true
    }

    /// Files that are too large, nested deeply, or have lengths that no file has.
    @Test func hugeClaimsAreErrors() throws {
        let megabyte = 1 << 20
        let limit = KeychainError(.dataTooLarge)
        #expect(throws: limit) {
            try KeyFile(Secret([UInt8](repeating: 0x30, count: megabyte + 1)))
        }
        for bytes in [
            [UInt8](repeating: 0x30, count: megabyte), [UInt8](repeating: 0x0A, count: megabyte),
            [UInt8](repeating: 0x2D, count: megabyte), [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x80, 0x02, 0x01, 0x00, 0x00, 0x00], Array("-----BEGIN PRIVATE KEY-----".utf8),
            Array(String(repeating: "-----BEGIN A-----\n-----END A-----\n", count: 30_000).utf8),
            Array(String(repeating: "A: b\n", count: 200_000).utf8),
        ] {
            #expect(throws: KeychainError.self) { try KeyFile(Secret(bytes)) }
        }
        // An RSA key with a modulus, an exponent or primes of half a mebibyte.
        let long = [UInt8](repeating: 0x7F, count: megabyte / 2)
        for lengths in [[long.count, 3], [256, long.count]] {
            let sequence = Secret.sequence { sequence in
                for length in lengths {
                    sequence.append(.integer, bytes: Array(long.prefix(length)))
                }
            }
            #expect(throws: KeychainError(.unsupportedKeySize)) { try KeyFile(sequence) }
        }
        let many = Secret.sequence { sequence in
            sequence.append(integer: 0)
            for _ in 0..<8 {
                sequence.append(.integer, bytes: Array(long.prefix(100_000)))
            }
        }
        #expect(throws: KeychainError(.unsupportedKeySize)) { try KeyFile(many) }
    }

    /// Numbers of an RSA key that contradict each other.
    @Test func refusesRSAKeysThatContradictThemselves() throws {
        let key = try SampleKey.rsa2048.generate()
        let bytes = key.externalRepresentation().publicBytes()
        var reader = try DERReader.sequence(bytes.span)
        var ranges: [Range<Int>] = []
        while !reader.isAtEnd {
            ranges.append(try reader.integer(in: bytes.span))
        }
        #expect(ranges.count == 9)
        for range in ranges.dropFirst() {
            var damaged = bytes
            damaged[range.upperBound - 1] ^= 2
            #expect(throws: KeychainError(.publicKeyInconsistent)) {
                try PrivateKey(externalRepresentation: Secret(damaged), type: .rsa)
            }
        }
    }
}
