import LanyardSecrets
import Testing

@Suite struct SecretTests {
    private static let bytes: [[UInt8]] = [
        [], [0], [1], [0, 0], [1, 2, 3], Array(0...255), Array(repeating: 0xA5, count: 5000),
    ]

    @Test(arguments: bytes)
    func holdsItsBytes(_ bytes: [UInt8]) {
        let secret = Secret(copying: bytes.span)
        #expect(secret.count == bytes.count)
        #expect(secret.bytes == bytes)
        let copy = secret.copy()
        #expect(copy.bytes == bytes)
    }

    @Test func copyLivesLongerThanItsSecret() {
        func copyOf(_ secret: consuming Secret) -> Secret { secret.copy() }
        let copy = copyOf(Secret("secret"))
        #expect(copy.bytes == Array("secret".utf8))
    }

    @Test func ofAString() {
        #expect(Secret("").count == 0)
        #expect(Secret("caf\u{E9}\0").bytes == [0x63, 0x61, 0x66, 0xC3, 0xA9, 0])
        let long = String(repeating: "\u{1F511}", count: 1000)
        #expect(Secret(long).bytes == Array(long.utf8))
    }

    @Test(arguments: bytes, bytes)
    func equality(_ left: [UInt8], _ right: [UInt8]) {
        let one = Secret(copying: left.span)
        let isEqual = one.isEqual(to: Secret(copying: right.span))
        #expect(isEqual == (left == right))
    }

    /// Each bit of each byte counts, the last as the first.
    @Test func equalityLooksAtEveryBit() {
        let bytes = [UInt8](repeating: 0x5A, count: 40)
        let secret = Secret(copying: bytes.span)
        for position in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[position] ^= 1 << bit
                let isEqual = secret.isEqual(to: Secret(copying: other.span))
                #expect(!isEqual)
            }
        }
        let isEqual = secret.isEqual(to: secret.copy())
        #expect(isEqual)
    }

    @Test func writtenByAClosure() {
        let secret = Secret(capacity: 100) { memory in
            #expect(memory.count >= 100)
            #expect(memory.allSatisfy { $0 == 0 })
            memory[0] = 1
            memory[1] = 2
            return 2
        }
        #expect(secret.bytes == [1, 2])
        #expect(Secret(capacity: 0) { _ in 0 }.count == 0)
    }

    @Test func closureThatThrowsMakesNoSecret() {
        #expect(throws: KeychainError(.io)) {
            _ = try Secret(capacity: 10) { _ throws(KeychainError) in
                throw KeychainError(.io)
            }
        }
    }

    @Test func closureThatClaimsTooMuchEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Secret(capacity: 4) { _ in 5 }
        }
    }

    @Test func closureThatClaimsLessThanNothingEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = Secret(capacity: 4) { _ in -1 }
        }
    }

    @Test func closuresResultAndErrorPassThrough() {
        let secret = Secret("abc")
        #expect(secret.withBytes { $0.count } == 3)
        #expect(throws: KeychainError(.io)) {
            try secret.withBytes { _ throws(KeychainError) in throw KeychainError(.io) }
        }
    }
}
