import Foundation
import TestSupport
import LanyardSecrets
import Testing

@testable import LinuxSystem

@Suite("reading to the end") struct ReadToEndTests {
    /// One call reads up to 64 KiB.
    @Test(arguments: [0, 1, 10, 1 << 16, (1 << 16) + 1, 1 << 17])
    func limit(_ limit: Int) throws {
        let folder = try ScratchFolder()
        for count in [0, limit - 1, limit, limit + 1] where count >= 0 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let file = try FileHandle(
                forReadingFrom: URL(filePath: try folder.write("file", bytes)))
            let read = try SystemCalls.readToEnd(file.fileDescriptor, limit: limit)
            var found: [UInt8]?
            if let read {
                found = read.withBytes { ByteString(copying: $0).bytes }
            }
            #expect(found == (count <= limit ? bytes : nil), "\(count) bytes")
        }
    }
}
