import KeychainServices
import Testing

@testable import Cryptography
@testable import SealedStore
@testable import LinuxSystem

@Suite("HKDF-SHA256") struct KeyDerivationTests {
    private var key: Secret { secretOf(Array(0x40..<0x60)) }
    private let salt = [UInt8](0..<32)

    private func derived(_ key: borrowing Secret, _ salt: [UInt8], _ use: StaticString) -> String {
        Hexadecimal.encode(bytes(KeyDerivation.derive(key, salt: salt, use: use)))
    }

    /// RFC 5869, test case 3: neither salt nor info. A key is the first 32 bytes of its OKM.
    @Test func equalsThePublishedVectorWithoutSaltAndInfo() {
        #expect(
            derived(secretOf(Array(repeating: 0x0B, count: 22)), [], "")
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    }

    /// The info of RFC 5869's other cases is no text. These were computed with PyCryptodome 3 and
    /// with Python's cryptography 48, which agree.
    @Test func equalsAnotherImplementation() {
        #expect(
            derived(key, salt, "lanyard attributes")
                == "91799d607081198ec6d62d439346ea11f59cf5057c1164b310d46cf423b81d5f")
        #expect(
            derived(key, salt, "lanyard keybag authentication")
                == "0c8bc2a4341fa51c03d07ac295177caabb3f61aac0ac50249fd3f180be160684")
        #expect(
            derived(key, [], "lanyard machine key id")
                == "d84c0a20fb754ef1f18408d504821bdf758b32a4e922e09d98dc948111c4d923")
    }

    /// The two steps of RFC 5869, test cases 1 and 2, made of the digest that `derive` is made of.
    @Test func itsStepsEqualThePublishedVectors() {
        func output(_ key: [UInt8], _ salt: [UInt8], _ info: [UInt8]) -> String {
            let extract = HMACSHA256(key: salt.span)
            extract.update(key)
            let pseudorandomKey = extract.finish()
            let expand = HMACSHA256(key: pseudorandomKey.span)
            expand.update(info)
            expand.update([1])
            return Hexadecimal.encode(expand.finish())
        }
        #expect(
            output(Array(repeating: 0x0B, count: 22), Array(0...0x0C), Array(0xF0...0xF9))
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
        #expect(
            output(Array(0...0x4F), Array(0x60...0xAF), Array(0xB0...0xFF))
                == "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c")
    }

    @Test func everyInputCounts() {
        let reference = derived(key, salt, "lanyard attributes")
        #expect(derived(secretOf(Array(0x41..<0x61)), salt, "lanyard attributes") != reference)
        #expect(derived(key, salt.reversed(), "lanyard attributes") != reference)
        #expect(derived(key, salt, "lanyard secret") != reference)
    }

    /// What fits into a block each is digested another way than what does not.
    @Test func isMadeOfTheTwoStepsWhateverTheLengths() {
        let uses: [StaticString] = [
            "", "a use", "53 bytes: 789 123456789 123456789 123456789 123456789",
            "54 bytes: 789 123456789 123456789 123456789 123456789 ",
            "55 bytes: 789 123456789 123456789 123456789 123456789 1",
        ]
        for keyCount in [0, 1, 31, 32, 54, 55, 56, 64, 65, 200] {
            for saltCount in [0, 1, 16, 32, 63, 64, 65, 200] {
                let key = (0..<keyCount).map { UInt8($0) }
                let salt = (0..<saltCount).map { UInt8(255 - $0) }
                for use in uses {
                    let extract = HMACSHA256(key: salt.span)
                    extract.update(key)
                    let pseudorandomKey = extract.finish()
                    let expand = HMACSHA256(key: pseudorandomKey.span)
                    expand.update(Array("\(use)".utf8) + [1])
                    #expect(
                        derived(secretOf(key), salt, use) == Hexadecimal.encode(expand.finish()))
                }
            }
        }
    }
}
