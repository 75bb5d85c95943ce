import Testing

@testable import LanyardSecrets

@Suite("Bytes of a span") struct SpanBytesTests {
    /// A span without memory has no address, and C functions take none.
    @Test func noBytesHaveAnAddress() {
        let (count, isSame) = Span<UInt8>().withAddress { address, count in
            (count, UInt(bitPattern: address) == 0)
        }
        #expect(count == 0 && !isSame)
        let bytes: [UInt8] = [1, 2, 3]
        let last = bytes.span.withAddress { $0[$1 - 1] }
        #expect(last == 3)
    }

    /// Beside a byte that is looked for stand those that differ from it in the lowest or the highest bit,
    /// which looking at eight at a time could take for it.
    @Test(arguments: [0x00, 0x01, 0x0A, 0x7F, 0x80, 0xFF] as [UInt8])
    func aByteIsFoundWhereItIsFirst(_ byte: UInt8) {
        let others: [UInt8] = [byte ^ 1, byte ^ 0x80, byte &+ 1, byte &- 1, ~byte]
        for count in 0...20 {
            for other in others {
                var bytes = [UInt8](repeating: other, count: count)
                let isThere = bytes.span.contains(byte)
                #expect(!isThere)
                for place in 0..<count {
                    bytes[place] = byte
                    for start in 0...count {
                        let expected = bytes[start...].firstIndex(of: byte)
                        let found = bytes.span.firstIndex(of: byte, from: start)
                        #expect(found == expected)
                    }
                    let last = bytes.span.lastIndex(of: byte)
                    #expect(last == place)
                    // Every other place keeps it, which makes several.
                    bytes[place] = place.isMultiple(of: 2) ? other : byte
                }
            }
        }
    }

    @Test func behindTheEndThereIsNone() {
        let bytes: [UInt8] = Array("0123456789".utf8)
        let found = [10, 12].map { bytes.span.firstIndex(of: 0x39, from: $0) }
        #expect(found == [nil, nil])
        let isThere = [UInt8]().span.contains(0)
        #expect(!isThere)
    }

    @Test(
        arguments: [
            ("0", 0), ("0042", 42), ("9223372036854775807", Int64.max),
            ("9223372036854775808", nil), ("18446744073709551616", nil),
            ("99999999999999999999", nil), ("", nil), ("-1", nil), ("+1", nil), ("1 ", nil),
        ] as [(String, Int64?)])
    func aDecimalNumberHas64Bits(text: String, number: Int64?) {
        let read = Array(text.utf8).span.decimalNumber
        #expect(read == number)
    }
}
