import Foundation
import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("Password generator") struct PasswordGeneratorTests {
    private func make(_ length: Int, _ kinds: Set<PasswordGenerator.Kind>) throws -> [UInt8] {
        try PasswordGenerator(length: length, kinds: kinds).make().withBytes {
            ByteString(copying: $0).bytes
        }
    }

    /// Pearson's chi-square of how often each character comes, against the mean and the standard
    /// deviation that it has where all are as likely: by chance eight deviations never come.
    @Test(
        arguments: [
            [.lower, .upper, .digits], [.digits], [.lower, .upper, .digits, .symbols], [.symbols],
        ] as [Set<PasswordGenerator.Kind>])
    func everyCharacterIsAsLikely(kinds: Set<PasswordGenerator.Kind>) throws {
        let alphabet = kinds.flatMap(\.characters)
        var counts: [UInt8: Int] = [:]
        var total = 0
        // So long that a kind is never missing, which would make another one likelier.
        for _ in 0..<100 {
            for byte in try make(1000, kinds) {
                counts[byte, default: 0] += 1
                total += 1
            }
        }
        #expect(total == 100_000)
        #expect(Set(counts.keys) == Set(alphabet))
        let expected = Double(total) / Double(alphabet.count)
        let chiSquare = alphabet.reduce(0) { sum, byte in
            let difference = Double(counts[byte, default: 0]) - expected
            return sum + difference * difference / expected
        }
        let freedom = Double(alphabet.count - 1)
        #expect(abs(chiSquare - freedom) < 8 * (2 * freedom).squareRoot(), "\(chiSquare)")
    }

    @Test func everyKindIsThere() throws {
        let kinds: [PasswordGenerator.Kind] = [.lower, .upper, .digits, .symbols]
        for length in [4, 5, 8, 24] {
            for _ in 0..<200 {
                let password = try make(length, Set(kinds))
                #expect(password.count == length)
                for kind in kinds {
                    #expect(password.contains { kind.characters.contains($0) })
                }
            }
        }
    }

    @Test func noneIsMadeTwice() throws {
        let passwords = try (0..<1000).map { _ in try make(24, [.lower, .upper, .digits]) }
        #expect(Set(passwords).count == 1000)
    }

    @Test(arguments: [Int.min, -1, 0, 3, 1025, Int.max])
    func lengthsOutOfBounds(length: Int) {
        #expect(throws: KeychainError(.param)) { _ = try make(length, [.lower]) }
    }

    @Test(arguments: [4, 1024])
    func lengthsAtTheBounds(length: Int) throws {
        #expect(try make(length, [.digits]).count == length)
    }

    @Test func namesOfKinds() throws {
        typealias Kind = PasswordGenerator.Kind
        #expect(try Kind.named("letters,digits") == [.lower, .upper, .digits])
        #expect(try Kind.named("upper") == [.upper])
        #expect(try Kind.named("symbols,lower,lower") == [.symbols, .lower])
        for text in ["", ",", "lower,", "Lower", "lower digits", "words"] {
            #expect(throws: KeychainError(.param)) { try Kind.named(text) }
        }
    }

    @Test func kindsHaveNothingInCommon() {
        let all = PasswordGenerator.Kind.allCases.flatMap(\.characters)
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { (0x21...0x7E).contains($0) && !"'\"`\\".utf8.contains($0) })
    }
}
