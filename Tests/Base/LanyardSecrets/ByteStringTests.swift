import LanyardSecrets
import Testing

@Suite struct ByteStringTests {
    @Test func equalityIsByBytes() {
        #expect("caf\u{E9}" == "cafe\u{301}")
        #expect(ByteString("caf\u{E9}") != ByteString("cafe\u{301}"))
        #expect(ByteString([0xFF]) != ByteString([0xFE]))
        #expect(ByteString("a") != ByteString("a\0"))
        #expect(Set([ByteString("caf\u{E9}"), ByteString("cafe\u{301}")]).count == 2)
    }

    /// Several bytes are compared at a time.
    @Test func eachByteCounts() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(ByteString(bytes) == ByteString(Array(bytes)))
            #expect(ByteString(bytes) != ByteString(bytes + [0]))
            for index in 0..<count {
                var other = bytes
                other[index] ^= 0x80
                #expect(ByteString(bytes) != ByteString(other))
            }
        }
    }

    @Test func comesFromBytesSpansStringsAndLiterals() {
        let literal: ByteString = "n\u{E9}\0"
        #expect(literal.bytes == [0x6E, 0xC3, 0xA9, 0])
        #expect(ByteString("n\u{E9}\0") == literal)
        #expect(ByteString([0x6E, 0xC3, 0xA9, 0]) == literal)
        for bytes in [literal.bytes, [], Array(0...255)] {
            let copy = ByteString(copying: bytes.span)
            #expect(copy.bytes == bytes)
        }
    }

    @Test func emptiness() {
        #expect(ByteString("").isEmpty)
        #expect(!ByteString("\0").isEmpty)
    }

    @Test func lowercasedASCIITouchesNothingElse() {
        let all = ByteString(Array(0...255))
        let lower = all.lowercasedASCII.bytes
        for byte in 0...255 {
            let isCapital = (65...90).contains(byte)
            #expect(lower[byte] == UInt8(isCapital ? byte + 32 : byte))
        }
        #expect(ByteString("\u{C9}").lowercasedASCII == "\u{C9}")
    }

    @Test(arguments: [
        ("", "", true), ("Host", "hOST", true), ("B\u{DC}CHER", "b\u{FC}cher", true),
        ("\u{212A}", "k", true), ("a", "b", false), ("a", "aa", false), ("", "a", false),
        ("caf\u{E9}", "cafe\u{301}", false), ("CAF\u{C9}", "cafe\u{301}", false),
        ("\u{3A3}", "\u{3C3}", true), ("@", "`", false), ("[", "{", false),
    ])
    func letterCaseSetAside(_ left: String, _ right: String, _ isSame: Bool) {
        #expect(ByteString(left).isEqualIgnoringCase(ByteString(right)) == isSame)
        #expect(ByteString(right).isEqualIgnoringCase(ByteString(left)) == isSame)
    }

    @Test func letterCaseOfWhatIsNotUTF8IsASCIIs() {
        let (capital, small) = (ByteString([0xC3, 0x41]), ByteString([0xC3, 0x61]))
        #expect(capital.isEqualIgnoringCase(small))
        #expect(!capital.isEqualIgnoringCase(ByteString([0xC3, 0x62])))
        // Latin-1's letters are no letters here.
        #expect(!ByteString([0xC9]).isEqualIgnoringCase(ByteString([0xE9])))
        #expect(!ByteString([0xFF]).isEqualIgnoringCase("\u{FFFD}"))
    }

    @Test func describesItself() {
        #expect("\(ByteString("caf\u{E9}"))" == "caf\u{E9}")
        #expect(ByteString([0x61, 0xFF]).description == "a\u{FFFD}")
    }
}
