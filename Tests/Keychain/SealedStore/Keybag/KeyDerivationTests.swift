import LanyardSecrets
import Testing

@testable import LanyardCryptography

@Suite("Key derivation") struct KeyDerivationTests {
    private let key = [UInt8](0x40..<0x60)
    private let id = [UInt8](0xA0..<0xB0)

    private func derived(_ key: [UInt8], _ label: StaticString, _ context: [UInt8]) -> String {
        Hexadecimal.encode(
            bytes(KeyDerivation.derive(secretOf(key), label: label, context: context.span)))
    }

    /// Python's hashlib made these as lanyard-keychain(5) says.
    @Test func equalsAnotherImplementation() {
        #expect(
            derived(key, "lanyard attributes", id)
                == "f562202869b6dc72328437c29dfa8bb0812f5ae47c082acf75344877490611cc")
        #expect(
            derived(key, "lanyard machine key id", [])
                == "bba75f3e874f85c52209f668f73509a12f912c12b594e0394d6254b6ac9041e4")
    }

    @Test func everyInputCounts() {
        let reference = derived(key, "lanyard attributes", id)
        #expect(derived(key.reversed(), "lanyard attributes", id) != reference)
        #expect(derived(key, "lanyard secret", id) != reference)
        #expect(derived(key, "lanyard attributes", id.reversed()) != reference)
        #expect(derived(key, "lanyard attributes", []) != reference)
    }

    /// What ends the label and what begins the context are no question.
    @Test func aLabelHasItsLength() {
        #expect(derived(key, "ab", Array("c".utf8)) != derived(key, "a", Array("bc".utf8)))
        #expect(derived(key, "abc", []) != derived(key, "", Array("abc".utf8)))
    }

    @Test func whatIsLentIsWhatIsDerived() {
        let lent = KeyDerivation.withKey(secretOf(key), label: "a label", context: id.span) {
            Secret(copying: $0)
        }
        #expect(Hexadecimal.encode(bytes(lent)) == derived(key, "a label", id))
    }

    @Test func severalKeysAreCombinedUnderAnID() {
        let combined = KeyDerivation.combine(secretOf(key), label: "a label", id: id)
        #expect(Hexadecimal.encode(bytes(combined)) == derived(id, "a label", key))
    }
}
