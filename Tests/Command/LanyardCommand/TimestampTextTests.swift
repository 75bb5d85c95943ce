import TestSupport
import Foundation
import KeychainServices
import Testing

@Suite("a moment as text")
struct TimestampTextTests {
    @Test("random timestamps print as date(1) prints them")
    func random() throws {
        var random = SeededRandom()
        // From the year 0 to 9999, half of them near today.
        var moments: [Int64] = (0..<200).map { _ in
            Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
        }
        moments += (0..<200).map { _ in Int64.random(in: 0...4_102_444_800, using: &random) }
        moments += [0, -1, 951_782_399, 951_782_400, 951_868_800, 4_107_542_400, 68_169_600]
        let date = Process()
        date.executableURL = URL(filePath: "/usr/bin/env")
        date.arguments = ["date", "-u", "-f", "-", "+%Y-%m-%dT%H:%M:%SZ"]
        let (input, output) = (Pipe(), Pipe())
        date.standardInput = input
        date.standardOutput = output
        try date.run()
        try input.fileHandleForWriting.write(
            contentsOf: Data(moments.map { "@\($0)\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let lines = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        date.waitUntilExit()
        #expect(
            lines.split(separator: "\n").map(String.init)
                == moments.map { Timestamp(secondsSinceEpoch: $0).text },
            "LANYARD_TEST_SEED=\(SeededRandom.seed)")
    }

    @Test("any timestamp prints", arguments: [Int64.min, .min + 1, .max - 1, .max])
    func extremes(seconds: Int64) {
        #expect(Timestamp(secondsSinceEpoch: seconds).text.hasSuffix("Z"))
    }
}
