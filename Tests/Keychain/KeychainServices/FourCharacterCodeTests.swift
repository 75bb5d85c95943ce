import KeychainServices
import Testing

@Suite struct FourCharacterCodeTests {
    @Test func firstByteIsMostSignificant() {
        let code: FourCharacterCode = "genp"
        #expect(code.rawValue == 0x67_65_6E_70)
        #expect(code.text == "genp")
        #expect(code.description == "genp")
        #expect(FourCharacterCode(ByteString("genp")) == code)
    }

    @Test func textIsAlwaysFourBytes() {
        #expect(FourCharacterCode(rawValue: 0).text.bytes == [0, 0, 0, 0])
        #expect(FourCharacterCode(rawValue: 0xFF).text.bytes == [0, 0, 0, 0xFF])
        #expect(FourCharacterCode(ByteString("ftp "))?.text == "ftp ")
    }

    @Test(arguments: [0, 1, 3, 5, 8])
    func otherLengthsAreNoCodes(_ length: Int) {
        #expect(FourCharacterCode(ByteString(Array(repeating: 0x61, count: length))) == nil)
    }

    @Test func roundTrips() {
        for number in [0, 1, 0x8000_0000, 0xFFFF_FFFF, 0x0102_0304] as [UInt32] {
            let code = FourCharacterCode(rawValue: number)
            #expect(FourCharacterCode(code.text) == code)
        }
    }

    @Test func classesOfStores() {
        for itemClass in ItemClass.stored {
            #expect(itemClass.isStored)
        }
        #expect(!ItemClass.identity.isStored)
        #expect(!ItemClass(rawValue: "abcd").isStored)
    }
}
