import TestSupport
import LanyardSecrets
import Testing

@Suite struct SecretBuilderTests {
    @Test func putsPartsTogether() {
        var builder = SecretBuilder()
        builder.append("user" as StaticString)
        builder.append(0x3A)
        builder.append(ByteString([0xFF, 0]))
        builder.append(Secret("secret"))
        builder.append([1, 2, 3].span)
        builder.append("" as StaticString)
        builder.append(Secret(""))
        let bytes = Array("user:".utf8) + [0xFF, 0] + Array("secret".utf8) + [1, 2, 3]
        #expect(builder.count == bytes.count)
        #expect(builder.finish().bytes == bytes)
    }

    @Test func nothingIsAnEmptySecret() {
        #expect(SecretBuilder().finish().count == 0)
        #expect(SecretBuilder(capacity: 0).finish().count == 0)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 100_000])
    func growsByteByByteAndAtOnce(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var slow = SecretBuilder(capacity: 1)
        for byte in bytes {
            slow.append(byte)
        }
        #expect(slow.count == count)
        let one = slow.finish()
        #expect(one.bytes == bytes)
        var fast = SecretBuilder(capacity: 1)
        fast.append(bytes.span)
        let other = fast.finish()
        #expect(other.bytes == one.bytes)
    }

    @Test func growsWithRandomParts() {
        let seed = UInt64.random(in: 0 ... .max)
        print("builder: seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            var wanted: [UInt8] = []
            var builder = SecretBuilder(capacity: Int.random(in: 0...40, using: &random))
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let part = (0..<Int.random(in: 0...50, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                switch Int.random(in: 0..<3, using: &random) {
                case 0: builder.append(part.span)
                case 1: builder.append(ByteString(part))
                default: builder.append(Secret(copying: part.span))
                }
                wanted += part
            }
            #expect(builder.finish().bytes == wanted, "seed \(seed)")
        }
    }
}
