import Secrets
import Testing

@testable import Cryptography
@testable import SealedStore
@testable import LinuxSystem

/// A test case of RFC 4231, section 4.
struct HMACVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let key: [UInt8]
    let data: [UInt8]
    /// Test case 5 gives the first 16 bytes only.
    let digest: String

    static let all = [
        HMACVector(
            testDescription: "RFC 4231 case 1", key: Array(repeating: 0x0B, count: 20),
            data: Array("Hi There".utf8),
            digest: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        HMACVector(
            testDescription: "RFC 4231 case 2", key: Array("Jefe".utf8),
            data: Array("what do ya want for nothing?".utf8),
            digest: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        HMACVector(
            testDescription: "RFC 4231 case 3", key: Array(repeating: 0xAA, count: 20),
            data: Array(repeating: 0xDD, count: 50),
            digest: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        HMACVector(
            testDescription: "RFC 4231 case 4", key: Array(1...25),
            data: Array(repeating: 0xCD, count: 50),
            digest: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        HMACVector(
            testDescription: "RFC 4231 case 5", key: Array(repeating: 0x0C, count: 20),
            data: Array("Test With Truncation".utf8),
            digest: "a3b6167473100ee06e0c796c2955552b"),
        HMACVector(
            testDescription: "RFC 4231 case 6", key: Array(repeating: 0xAA, count: 131),
            data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            digest: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        HMACVector(
            testDescription: "RFC 4231 case 7", key: Array(repeating: 0xAA, count: 131),
            data: Array(
                ("This is a test using a larger than block-size key and a larger than block-size "
                    + "data. The key needs to be hashed before being used by the HMAC algorithm.")
                    .utf8),
            digest: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]
}

@Suite("HMAC-SHA256") struct HMACSHA256Tests {
    @Test(arguments: HMACVector.all) func equalsPublishedVectors(_ vector: HMACVector) {
        let digest = HMACSHA256(key: vector.key.span)
        digest.update(vector.data)
        #expect(Hexadecimal.encode(digest.finish()).hasPrefix(vector.digest))
    }

    @Test(arguments: HMACVector.all) func takesDataInPieces(_ vector: HMACVector) {
        let digest = HMACSHA256(key: vector.key.span)
        for byte in vector.data {
            digest.update([byte])
            digest.update([])
        }
        #expect(Hexadecimal.encode(digest.finish()).hasPrefix(vector.digest))
    }

    /// A key that is used for many, wherever the data is cut.
    @Test(arguments: HMACVector.all) func takesDataInUpToFourParts(_ vector: HMACVector) {
        let key = HMACSHA256Key(vector.key.span)
        let data = vector.data.span
        for cut in 0...data.count {
            let first = data.extracting(..<(cut / 3))
            let second = data.extracting((cut / 3)..<(cut / 2))
            let third = data.extracting((cut / 2)..<cut)
            let digest = bytes(key.digest(first, second, third, data.extracting(cut...)))
            #expect(Hexadecimal.encode(digest).hasPrefix(vector.digest))
        }
        let digest = bytes(key.digest(data, Span()))
        #expect(Hexadecimal.encode(digest).hasPrefix(vector.digest))
    }

    /// The padding goes into the last block as long as it fits.
    @Test func dataOfAnyLength() {
        let key = [UInt8](repeating: 0x5A, count: 32)
        let many = HMACSHA256Key(key.span)
        for count in 0...300 {
            let data = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let digest = HMACSHA256(key: key.span)
            digest.update(data)
            let isSame = bytes(many.digest(data.span, Span())) == digest.finish()
            #expect(isSame, "\(count) bytes")
        }
    }

    /// A key of exactly a block is used as it is, one byte more is hashed first.
    @Test func keysAroundABlock() {
        let block = [UInt8](repeating: 0x5A, count: 64)
        func digest(_ key: [UInt8]) -> [UInt8] {
            let digest = HMACSHA256(key: key.span)
            digest.update(Array("data".utf8))
            return digest.finish()
        }
        #expect(digest(Array(block.dropLast())) != digest(block))
        let longer = block + [0x5A]
        let longerHashed = sha256(longer.span)
        #expect(digest(longer) == digest(longerHashed))
        let hashed = sha256(block.span)
        #expect(digest(block) != digest(hashed))
    }

    /// FIPS 180-4's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func sha256EqualsPublishedVectors(_ text: String, _ expected: String) {
        let digest = sha256(Array(text.utf8).span)
        #expect(Hexadecimal.encode(digest) == expected)
    }
}
