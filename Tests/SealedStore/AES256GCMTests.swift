import Secrets
import Foundation
import Testing

@testable import Cryptography
@testable import LinuxSystem

@Suite("AES-256-GCM") struct AES256GCMTests {
    /// A test case of the cipher's first specification, "The Galois/Counter Mode of Operation",
    /// appendix B, where it is one of AES-256 with a nonce of 12 bytes.
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: String
        let nonce: String
        let associatedData: String
        let plaintext: String
        let ciphertext: String
        let tag: String

        static let all = [
            Vector(
                testDescription: "test case 13", key: String(repeating: "00", count: 32),
                nonce: String(repeating: "00", count: 12), associatedData: "", plaintext: "",
                ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
            Vector(
                testDescription: "test case 14", key: String(repeating: "00", count: 32),
                nonce: String(repeating: "00", count: 12), associatedData: "",
                plaintext: String(repeating: "00", count: 16),
                ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
                tag: "d0d1c8a799996bf0265b98b5d48ab919"),
            Vector(
                testDescription: "test case 16",
                key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
                nonce: "cafebabefacedbaddecaf888",
                associatedData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
                tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
        ]
    }

    @Test(arguments: Vector.all) func equalsThePublishedVectors(_ vector: Vector) {
        let key = unhexadecimal(vector.key)
        let nonce = unhexadecimal(vector.nonce)
        let associatedData = unhexadecimal(vector.associatedData)
        let (ciphertext, tag) = encrypted(
            unhexadecimal(vector.plaintext), key, nonce, associatedData)
        #expect(Hexadecimal.encode(ciphertext) == vector.ciphertext)
        #expect(Hexadecimal.encode(tag) == vector.tag)
        #expect(
            decrypted(ciphertext, tag, key, nonce, associatedData).map(Hexadecimal.encode)
                == vector.plaintext)
    }

    /// Texts and associated data that end within a block, with one and behind one, up to more than
    /// any implementation takes at once, and results that lie anywhere.
    @Test func equalsAnotherImplementation() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
            sealed = AESGCM(bytes(range(32)))
            for size in range(0, 600, 7):
                for more in (0, 1, 15, 16, 17, 64, 200):
                    text = bytes((size + index) & 255 for index in range(size))
                    data = bytes((more ^ index) & 255 for index in range(more))
                    print(sealed.encrypt(bytes(range(12)), text, data).hex())
            """,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let expected = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        var lines = String(decoding: expected, as: UTF8.self).split(separator: "\n").makeIterator()
        for size in stride(from: 0, to: 600, by: 7) {
            for more in [0, 1, 15, 16, 17, 64, 200] {
                let (ciphertext, tag) = encrypted(
                    (0..<size).map { UInt8(truncatingIfNeeded: size + $0) }, Array(0..<32),
                    Array(0..<12), (0..<more).map { UInt8(truncatingIfNeeded: more ^ $0) })
                #expect(lines.next().map(String.init) == Hexadecimal.encode(ciphertext + tag))
            }
        }
        #expect(lines.next() == nil)
    }

    @Test func everyInputCounts() {
        let key = [UInt8](0..<32)
        let nonce = [UInt8](0..<12)
        let data: [UInt8] = [1, 2, 3]
        let (ciphertext, tag) = encrypted(Array("secret".utf8), key, nonce, data)
        #expect(decrypted(ciphertext, tag, key, nonce, data) == Array("secret".utf8))
        for index in tag.indices {
            for bit in 0..<8 {
                var other = tag
                other[index] ^= 1 << bit
                #expect(decrypted(ciphertext, other, key, nonce, data) == nil)
            }
        }
        #expect(decrypted(ciphertext, tag.dropLast(), key, nonce, data) == nil)
        #expect(decrypted(ciphertext, tag + [0], key, nonce, data) == nil)
        #expect(decrypted(ciphertext, [], key, nonce, data) == nil)
        #expect(decrypted(ciphertext.dropLast(), tag, key, nonce, data) == nil)
        #expect(decrypted(ciphertext, tag, key.reversed(), nonce, data) == nil)
        #expect(decrypted(ciphertext, tag, key, nonce.reversed(), data) == nil)
        #expect(decrypted(ciphertext, tag, key, nonce, [1, 2]) == nil)
        #expect(decrypted([1, 2, 3] + ciphertext, tag, key, nonce, []) == nil)
    }

    private func encrypted(
        _ plaintext: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ associatedData: [UInt8]
    ) -> (ciphertext: [UInt8], tag: [UInt8]) {
        AES256GCM.withCipher(key: key.span, nonce: nonce) { cipher in
            cipher.authenticate(associatedData.span)
            let offset = plaintext.count % 9
            var text = [UInt8](repeating: 0, count: offset) + plaintext
            text.withUnsafeMutableBufferPointer {
                cipher.encrypt(UnsafeMutableBufferPointer(rebasing: $0[offset...]))
            }
            let ciphertext = Array(text[offset...])
            let tag = [UInt8](unsafeUninitializedCapacity: 16) {
                cipher.finish(tag: $0.baseAddress!)
                $1 = 16
            }
            return (ciphertext, tag)
        }
    }

    private func decrypted(
        _ ciphertext: [UInt8], _ tag: [UInt8], _ key: [UInt8], _ nonce: [UInt8],
        _ associatedData: [UInt8]
    ) -> [UInt8]? {
        AES256GCM.withCipher(key: key.span, nonce: nonce) { cipher in
            cipher.authenticate(associatedData.span)
            let plaintext = [UInt8](unsafeUninitializedCapacity: ciphertext.count + 1) {
                cipher.decrypt(ciphertext.span, into: $0.baseAddress!)
                $1 = ciphertext.count
            }
            return cipher.isTag(tag.span) ? plaintext : nil
        }
    }
}
