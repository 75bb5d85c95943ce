import TestSupport
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// A key leaves nothing of itself in memory: no number of libcrypto's, no text, no copy on a stack.
@Suite(.serialized) struct WipedMemoryTests {
    @Test(arguments: [SampleKey.rsa2048, .p256, .p521, .ed25519, .x25519])
    func nothingIsLeftOfAKey(_ sample: SampleKey) throws {
        let pattern = try use(sample)
        #expect(OwnMemory.count(pattern) == 0)
        #expect(OwnMemory.count(pattern.reversed) == 0)
    }

    /// Uses a new key in every way, and returns 32 bytes of it.
    @inline(never)
    private func use(_ sample: SampleKey) throws -> OwnMemory.Pattern {
        let key = try PrivateKey(generating: sample.type, sizeInBits: sample.sizeInBits)
        // An RSA key's first prime, or the end of a curve's private key.
        let pattern = key.externalRepresentation().withBytes { bytes in
            let start = sample.type == .rsa ? 600 : bytes.count - 32
            var pattern = OwnMemory.Pattern()
            for index in start..<start + 32 {
                pattern.append(bytes[index])
            }
            return pattern
        }
        #expect(OwnMemory.count(pattern) > 0)
        let formats = [KeyFormat.pkcs8, .openSSH] + (sample.traditional.map { [$0] } ?? [])
        for format in formats where sample != .x25519 || format != .openSSH {
            _ = try KeyFile(key.file(format))
            // OpenSSH's password takes seconds without optimization.
            if format != .openSSH {
                let password = Secret("secret")
                let file = try key.file(format, password: password)
                _ = try KeyFile(file, password: password)
            }
        }
        let message: [UInt8] = [1, 2, 3]
        for algorithm in KeyAlgorithm.allCases {
            if algorithm.kind.input != .digest, key.isSupported(algorithm, for: .sign) {
                _ = try key.sign(message.span, algorithm)
            }
            if key.isSupported(algorithm, for: .decrypt) {
                let encrypted = try key.publicKey.encrypt(Secret(message), algorithm)
                _ = try key.decrypt(encrypted.span, algorithm)
            }
            if key.isSupported(algorithm, for: .keyExchange) {
                _ = try key.sharedSecret(with: key.publicKey, algorithm, requestedSize: 32)
            }
        }
        return pattern
    }
}
