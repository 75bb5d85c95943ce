import KeychainServices
import Testing

@Suite("Byte writer and reader") struct ByteWriterTests {
    @Test func writesNumbersWithTheirMostSignificantByteFirst() {
        var writer = ByteWriter()
        writer.number(UInt8(0x01))
        writer.number(UInt16(0x0203))
        writer.number(UInt32(0x0405_0607))
        writer.number(UInt64(0x0809_0A0B_0C0D_0E0F))
        writer.number(Int64(-2))
        writer.raw([0xAA])
        writer.raw("text")
        writer.counted([0xBB, 0xCC])
        #expect(
            Hexadecimal.encode(writer.bytes)
                == "0102030405060708090a0b0c0d0e0f" + "fffffffffffffffe" + "aa" + "74657874"
                + "00000002bbcc")
    }

    @Test(arguments: [0, 1, -1, Int64.max, Int64.min, 0x0102_0304_0506_0708])
    func signedNumbersRoundTrip(_ number: Int64) throws {
        var writer = ByteWriter()
        writer.number(number)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.number(Int64.self) == number)
        try reader.end()
    }

    @Test func readsWhatWasWritten() throws {
        var writer = ByteWriter()
        writer.number(UInt8.max)
        writer.counted([])
        writer.counted([1, 2, 3])
        writer.raw([4, 5])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.number(UInt8.self) == UInt8.max)
        #expect(try reader.counted() == [])
        #expect(try reader.counted() == [1, 2, 3])
        #expect(!reader.isAtEnd)
        #expect(throws: KeychainError(.decode)) { try reader.end() }
        #expect(try reader.raw(2) == [4, 5])
        #expect(reader.isAtEnd)
        try reader.end()
    }

    @Test func whatIsTooShortIsRefused() {
        var empty = ByteReader([])
        #expect(throws: KeychainError(.decode)) { try empty.number(UInt8.self) }
        var three = ByteReader([0, 0, 0])
        #expect(throws: KeychainError(.decode)) { try three.number(UInt32.self) }
        #expect(throws: KeychainError(.decode)) { try three.counted() }
        #expect(throws: KeychainError(.decode)) { try three.raw(-1) }
        #expect(throws: KeychainError(.decode)) { try three.raw(Int.max) }
        var counted = ByteReader([0, 0, 0, 2, 1])
        #expect(throws: KeychainError(.decode)) { try counted.counted() }
        var enormous = ByteReader([0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(throws: KeychainError(.decode)) { try enormous.counted() }
    }
}
