import LanyardCryptography
import KeychainServices
import Testing

@Suite("Padding") struct PaddingTests {
    private func unpad(_ padded: [UInt8]) throws(KeychainError) -> [UInt8] {
        try Padding.withoutPadding(secretOf(padded)) { ByteString(copying: $0).bytes }
    }

    @Test func roundTripOfEverySize() throws {
        let plaintext = (0...9000).map { UInt8(truncatingIfNeeded: $0 % 255 + 1) }
        for count in 0...9000 {
            let padded = Padding.pad(plaintext.span.extracting(first: count))
            #expect(padded.count == Padding.bucket(count))
            let unpadded = try Padding.withoutPadding(padded) { bytes in bytes.count }
            #expect(unpadded == count)
            if count % 97 == 0 {
                #expect(try unpad(bytes(padded)) == Array(plaintext[..<count]))
            }
        }
    }

    @Test(arguments: [
        (0, 64), (60, 64), (61, 128), (124, 128), (125, 256), (4092, 4096), (4093, 8192),
        (8188, 8192), (8189, 12288), (2 << 20, (2 << 20) + 4096),
    ])
    func buckets(_ count: Int, _ bucket: Int) {
        #expect(Padding.bucket(count) == bucket)
    }

    @Test func everySizeButABucketIsRefused() {
        let buckets = Set([64, 128, 256, 512, 1024, 2048, 4096, 8192])
        for count in 0...9000 where !buckets.contains(count) {
            #expect(throws: KeychainError(.decode)) {
                try unpad(Array(repeating: 0, count: count))
            }
        }
    }

    @Test func anotherBucketThanTheLengthsIsRefused() {
        var padded = [UInt8](repeating: 0, count: 128)
        padded[3] = 60
        #expect(throws: KeychainError(.decode)) { try unpad(padded) }
        padded[3] = 61
        #expect(throws: Never.self) { try unpad(padded) }
        padded[3] = 124
        #expect(throws: Never.self) { try unpad(padded) }
        padded[3] = 125
        #expect(throws: KeychainError(.decode)) { try unpad(padded) }
        padded.replaceSubrange(0..<4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: KeychainError(.decode)) { try unpad(padded) }
    }

    @Test func everyPaddingByteButZeroIsRefused() throws {
        let padded = bytes(Padding.pad(Array("secret".utf8).span))
        for position in 10..<64 {
            var changed = padded
            changed[position] = 1
            #expect(throws: KeychainError(.decode)) { try unpad(changed) }
        }
        #expect(try unpad(padded) == Array("secret".utf8))
    }
}
