import LanyardTransfer
import KeychainServices
import Testing

@Suite struct RemovingTests {
    private func left(_ ranges: [Range<Int>]) -> String {
        removing(ranges, from: Secret("0123456789")).withBytes {
            ByteString(copying: $0).description
        }
    }

    @Test func theRangesAreMissing() {
        #expect(left([]) == "0123456789")
        #expect(left([0..<1, 3..<3, 4..<6, 6..<7, 9..<10]) == "12378")
        #expect(left([0..<10]) == "")
    }
}
