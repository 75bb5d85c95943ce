import LanyardSecrets
import Testing

@testable import LanyardCryptography

@Suite("BLAKE2b") struct KeyedDigestTests {
    private func digest(_ key: [UInt8], _ data: [UInt8]) -> String {
        Hexadecimal.encode(bytes(KeyedDigest.make(under: key.span, data.span)))
    }

    /// The bytes 0, 1, 2 … under the key 00 01 … 1f: the inputs of the known answers that come with
    /// BLAKE2, with a digest of 32 bytes, which Python's hashlib and OpenSSL's BLAKE2BMAC made.
    @Test(arguments: [
        (0, "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d"),
        (1, "41ff93a4eaeebd3b78a93438a6f62a92ab5959c859e682b72c7def406197ca4d"),
        (127, "12879e69734944f25f9ed95cbfdbb3659a307e485ed8ec118ce7c60f107357f1"),
        (128, "138893f1631ef3165629515d6ed800da3771b7926dced294205c7507351deebc"),
        (129, "ca60f75cbb714330c046d8f28b4ed351a3ee81776bb02a96abb646fe573e3d5c"),
        (255, "f60f5c4a575c43db6c93608515866ea998e04b35792f5a92b27aa5880cd6721e"),
    ])
    func equalsOtherImplementations(_ count: Int, _ expected: String) {
        let data = (0..<count).map { UInt8($0) }
        #expect(digest(Array(0..<32), data) == expected)
    }

    /// BLAKE2b-256 of RFC 7693's example text, and of nothing, as b2sum -l 256 of GNU coreutils gives them.
    @Test(arguments: [
        ("", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
        ("abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
    ])
    func withoutAKey(_ text: String, _ expected: String) {
        let digest = KeyedDigest.plain(Array(text.utf8).span)
        #expect(Hexadecimal.encode(digest) == expected)
        #expect(self.digest([], Array(text.utf8)) == expected)
    }

    /// Wherever the data is cut.
    @Test func takesDataInUpToFourParts() {
        let key = [UInt8](0..<32)
        let all = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let expected = digest(key, all)
        let data = all.span
        for cut in 0...data.count {
            let parts = KeyedDigest.make(
                under: key.span, data.extracting(..<(cut / 3)),
                data.extracting((cut / 3)..<(cut / 2)), data.extracting((cut / 2)..<cut),
                data.extracting(cut...))
            #expect(Hexadecimal.encode(bytes(parts)) == expected)
        }
    }

    @Test func everyInputCounts() {
        let key = [UInt8](0..<32)
        let reference = digest(key, [1, 2, 3])
        #expect(digest(key.reversed(), [1, 2, 3]) != reference)
        #expect(digest(key.dropLast(), [1, 2, 3]) != reference)
        #expect(digest(key + [0], [1, 2, 3]) != reference)
        #expect(digest(key, [1, 2, 3, 0]) != reference)
        #expect(digest(key, [1, 2]) != reference)
        #expect(digest([], [1, 2, 3]) != reference)
    }

    @Test func aSecretIsAKeyLikeAnyOther() {
        let key = [UInt8](7..<39)
        let data: [UInt8] = [1, 2, 3]
        let digest = KeyedDigest.make(under: secretOf(key), data.span)
        #expect(Hexadecimal.encode(bytes(digest)) == self.digest(key, data))
    }
}
