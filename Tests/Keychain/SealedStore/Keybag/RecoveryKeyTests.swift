import TestSupport
import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SealedStore

@Suite("Recovery key") struct RecoveryKeyTests {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The text of a key of these bytes, computed anew: 36 characters without dashes.
    private func characters(_ key: [UInt8]) -> [UInt8] {
        let checksum = bytes(
            KeyDerivation.derive(secretOf(key), label: "lanyard recovery key checksum"))
        let bits = (key + checksum.prefix(3)).flatMap { byte in
            (0..<8).map { byte >> (7 - UInt8($0)) & 1 }
        }
        return (0..<36).map { index in
            let value = bits[(index * 5)..<(index * 5 + 5)].reduce(0) { $0 << 1 | Int($1) }
            return Self.alphabet[value]
        }
    }

    private enum Outcome: Equatable {
        case key([UInt8]), noKey, error(KeychainError)
    }

    private func reading(_ text: [UInt8]) -> Outcome {
        do throws(KeychainError) {
            guard let read = try RecoveryKey.read(secretOf(text)) else {
                return .noKey
            }
            return .key(bytes(read.key))
        } catch {
            return .error(error)
        }
    }

    private func reading(_ text: String) -> Outcome {
        reading(Array(text.utf8))
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var texts: Set<String> = []
        for _ in 0..<500 {
            let made = try RecoveryKey.make()
            #expect(made.key.count == 20)
            let written = text(made.text)
            #expect(
                written.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){8}/) != nil)
            #expect(
                Array(written.utf8).filter { $0 != UInt8(ascii: "-") }
                    == characters(bytes(made.key)))
            #expect(reading(written) == .key(bytes(made.key)))
            texts.insert(written)
        }
        #expect(texts.count == 500)
    }

    /// What users wrote down must open the keychain forever. Computed with Python's hashlib.
    @Test func aKeyHasTheSameTextAndIdForEver() throws {
        let written = "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-CVAS"
        guard let read = try RecoveryKey.read(Secret(written)) else {
            Issue.record("it is no recovery key")
            return
        }
        #expect(bytes(read.key) == Array(0..<20))
        #expect(Hexadecimal.encode(read.id) == "a0bc2c87ef7eeb2d43482b21b34df861")
        #expect(text(read.text) == written)
    }

    @Test func caseBlanksAndDashesDoNotMatter() {
        var random = SeededRandom()
        let key = random.bytes(20)
        let plain = String(decoding: characters(key), as: UTF8.self)
        #expect(reading(plain) == .key(key))
        #expect(reading(plain.lowercased()) == .key(key))
        for separator in [" ", "-", "\t", "--", " - "] {
            #expect(reading(plain.map { "\($0)" }.joined(separator: separator)) == .key(key))
            #expect(reading(separator + plain + separator) == .key(key))
        }
    }

    @Test func charactersThatLookAlikeAreTaken() {
        let key: [UInt8] =
            [0, 0x44, 0x32, 0x14, 0xC7, 0x42, 0x54, 0xB6] + Array(repeating: 0, count: 12)
        let text = String(decoding: characters(key), as: UTF8.self)
        #expect(text.contains("0") && text.contains("1"))
        for (zero, one) in [("O", "I"), ("o", "l"), ("0", "L"), ("O", "i")] {
            let typed = text.map { $0 == "0" ? zero : $0 == "1" ? one : "\($0)" }.joined()
            #expect(reading(typed) == .key(key))
        }
    }

    /// With a seed of its own: of a million wrong texts one has the right checksum.
    @Test func everyWrongCharacterIsTold() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<5 {
            let right = characters(random.bytes(20))
            for index in right.indices {
                for character in Self.alphabet where character != right[index] {
                    var wrong = right
                    wrong[index] = character
                    #expect(reading(wrong) == .error(KeychainError(.authFailed)))
                }
            }
        }
    }

    @Test func exchangedNeighboursAreTold() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<50 {
            let right = characters(random.bytes(20))
            for index in 0..<35 where right[index] != right[index + 1] {
                var wrong = right
                wrong.swapAt(index, index + 1)
                #expect(reading(wrong) == .error(KeychainError(.authFailed)))
            }
        }
    }

    @Test func theErrorSaysWhatToDoAndNothingOfTheKey() throws {
        let typed = String(repeating: "7", count: 36)
        let error = try #require(keychainError { _ = try RecoveryKey.read(Secret(typed)) })
        #expect(error.reason == "the recovery key is mistyped")
        #expect(error.hint?.contains("9 groups of 4") == true)
    }

    @Test func anotherLengthIsNoRecoveryKey() {
        var random = SeededRandom()
        let right = characters(random.bytes(20))
        #expect(reading(right.dropLast()) == .noKey)
        #expect(reading(right + [right[0]]) == .noKey)
        #expect(reading(right + right) == .noKey)
        for text in ["", "-", " - - ", "0"] {
            #expect(reading(text) == .noKey)
        }
    }

    @Test(arguments: [
        "correct horse battery staple", "hunter2", "pässword", "Tr0ub4dor&3",
        "36 characters, and a comma among them",
        "ABCDEFGHJKMNPQRSTVWXYZ0123456789ABCU", "0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ-ABC_",
        "0123 4567 89AB CDEF GHJK MNPQ RSTV WXYZ ABC\n", "0123456789ABCDEFGHJKMNPQRSTVWXYZ012\0",
        "0123456789ABCDEFGHJKMNPQRSTVWXYZ01é", "0123456789ABCDEFGHJKMNPQRSTVWXYZ012[",
        "0123456789ABCDEFGHJKMNPQRSTVWXYZ012@", "0123456789ABCDEFGHJKMNPQRSTVWXYZ012`",
        "123e4567-e89b-12d3-a456-426614174000",
    ]) func aPassphraseIsNoRecoveryKey(_ passphrase: String) {
        #expect(reading(passphrase) == .noKey)
    }
}
