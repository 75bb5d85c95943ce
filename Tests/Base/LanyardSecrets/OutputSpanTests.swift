import Testing

@testable import LanyardSecrets

@Suite("Appending to an output span") struct OutputSpanTests {
    @Test func numbersWithTheirMostSignificantByteFirst() {
        let bytes = [UInt8](room: 40) { bytes in
            bytes.append(bigEndian: 0x01 as UInt8)
            bytes.append(bigEndian: 0x0203 as UInt16)
            bytes.append(bigEndian: 0x0405_0607 as UInt32)
            bytes.append(bigEndian: 0x0809_0A0B_0C0D_0E0F as UInt64)
            bytes.append(bigEndian: -2 as Int64)
        }
        #expect(bytes == Array(1...15) + [255, 255, 255, 255, 255, 255, 255, 254])
    }

    @Test(arguments: [0, 1, 7, 8, 9, 1023, 1024, 1025, 70_000])
    func bytesAndLiterals(_ count: Int) {
        let part = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let bytes = [UInt8](room: 2 * count + 3) { bytes in
            bytes.append(copying: part.span)
            bytes.append("a\u{E9}")
            bytes.append(copying: part)
        }
        #expect(bytes == part + [0x61, 0xC3, 0xA9] + part)
    }

    @Test func lessThanThereIsRoomFor() {
        #expect([UInt8](room: 100) { $0.append("one") } == Array("one".utf8))
        #expect([UInt8](room: 0) { _ in } == [])
    }

    @Test func moreThanThereIsRoomForEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ = [UInt8](room: 3) { $0.append(bigEndian: 0 as UInt32) }
        }
        await #expect(processExitsWith: .failure) {
            _ = [UInt8](room: 3) { $0.append(copying: [1, 2, 3, 4]) }
        }
        await #expect(processExitsWith: .failure) {
            _ = [UInt8](room: 3) { $0.append("four") }
        }
    }
}
