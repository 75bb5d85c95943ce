import OneTimeCodes
import TestSupport
import LanyardSecrets
import Testing

/// That a code leaves no copy of its key in memory.
@Suite struct WipedCodeMemoryTests {
    @Test(arguments: ["SECRET\n", "otpauth://totp/x?secret=SECRET&algorithm=SHA512"])
    func key(form: String) throws {
        // Capital letters, which Base32 has.
        let word = OwnMemory.Pattern.random(count: 512, of: 0x41...0x5A)
        do {
            var text = SecretBuilder()
            word.forEachByte(of: form) { text.append($0) }
            let url = try OneTimeCodeKey.url(of: text.finish(), label: "ada")
            let key = try OneTimeCodeKey(url: url)
            #expect(key.code(at: Timestamp(secondsSinceEpoch: 0)).count == 6)
            // The search finds what is there.
            #expect(OwnMemory.count(word) > 0 && OwnMemory.count(decoded(word)) > 0)
        }
        #expect(OwnMemory.count(word) == 0)
        #expect(OwnMemory.count(decoded(word)) == 0)
    }

    /// The bytes of letters in Base32.
    private func decoded(_ word: OwnMemory.Pattern) -> OwnMemory.Pattern {
        var bytes = OwnMemory.Pattern()
        for group in stride(from: 0, to: word.count, by: 8) {
            var bits: UInt64 = 0
            for position in group..<group + 8 {
                bits = bits << 5 | UInt64(word[position] - 0x41)
            }
            for shift in [32, 24, 16, 8, 0] as [UInt64] {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        return bytes
    }
}
