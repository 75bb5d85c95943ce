#if SecretService
import KeychainServices
import Testing

@testable import SecretServiceStore

@Suite("the session in which secrets travel")
struct SessionTests {
    // MARK: The agreement

    @Test func twoSidesGetTheSameKey() throws {
        for _ in 0..<20 {
            let one = try KeyAgreement()
            let other = try KeyAgreement()
            let oneKey = try one.sessionKey(with: try other.publicKey())
            let otherKey = try other.sessionKey(with: try one.publicKey())
            #expect(oneKey.array.count == 16)
            #expect(oneKey.array == otherKey.array)
        }
    }

    @Test func aPublicKeyIsNeverTheSame() throws {
        let agreement = try KeyAgreement()
        let key = try agreement.publicKey()
        #expect(key.count == 128)
        #expect(try agreement.publicKey() == key)
        #expect(try KeyAgreement().publicKey() != key)
    }

    /// RFC 2409, section 6.2.
    private static let prime: [UInt8] = bytes(
        """
        FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
        EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
        EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF
        """)

    private static func bytes(_ digits: String) -> [UInt8] {
        ByteString(hexadecimal: ByteString(digits))?.bytes ?? []
    }

    /// The prime with another last byte, which is FF.
    private static func nearPrime(_ last: UInt8) -> [UInt8] { prime.dropLast() + [last] }

    @Test(arguments: [
        [], [0], [1], [UInt8](repeating: 0, count: 128), [UInt8](repeating: 0, count: 127) + [1],
        nearPrime(0xFE), prime, [UInt8](repeating: 0xFF, count: 128), [2] + prime,
        [0] + nearPrime(0xFD), [UInt8](repeating: 7, count: 129),
    ])
    func refusesWhatIsNoKey(_ key: [UInt8]) throws {
        let agreement = try KeyAgreement()
        expectFailure(.decode) { try agreement.sessionKey(with: key) }
    }

    @Test(arguments: [[2], [0, 2], nearPrime(0xFD)])
    func acceptsTheSmallestAndTheGreatest(_ key: [UInt8]) throws {
        #expect(try KeyAgreement().sessionKey(with: key).array.count == 16)
    }

    // MARK: The cipher

    private func makeCipher() throws -> SessionCipher {
        let agreement = try KeyAgreement()
        return SessionCipher(key: try agreement.sessionKey(with: try KeyAgreement().publicKey()))
    }

    @Test func secretsOfEveryLengthComeBack() throws {
        let cipher = try makeCipher()
        for count in Array(0...64) + [2 << 20] {
            let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let (vector, ciphertext) = try cipher.encrypt(Secret(copying: text.span))
            #expect(vector.count == 16)
            #expect(ciphertext.count == (count / 16 + 1) * 16)
            let isSame = try cipher.decrypt(ciphertext, vector: vector).array == text
            #expect(isSame, "\(count) bytes")
        }
    }

    @Test func noTwoCiphertextsAreTheSame() throws {
        let cipher = try makeCipher()
        let first = try cipher.encrypt(Secret("the same"))
        let second = try cipher.encrypt(Secret("the same"))
        #expect(first.vector != second.vector)
        #expect(first.ciphertext != second.ciphertext)
    }

    @Test func aCiphertextOfAnotherLengthIsRefused() throws {
        let cipher = try makeCipher()
        let (vector, ciphertext) = try cipher.encrypt(Secret("0123456789"))
        for count in [0, 1, 15, 17, 31] {
            let wrong = Array((ciphertext + ciphertext).prefix(count))
            expectFailure(.decode) { try cipher.decrypt(wrong, vector: vector) }
        }
        for count in [0, 15, 17] {
            let wrong = Array((vector + vector).prefix(count))
            expectFailure(.decode) { try cipher.decrypt(ciphertext, vector: wrong) }
        }
    }

    /// What is changed in the vector is changed in the first block of the text: here the padding of
    /// ten bytes, six times 6.
    @Test func wrongPaddingIsRefused() throws {
        let cipher = try makeCipher()
        let (vector, ciphertext) = try cipher.encrypt(Secret("0123456789"))
        for (index, mask) in [
            (15, 6 ^ 0), (15, 6 ^ 17), (15, 6 ^ 7), (15, 6 ^ 255), (10, 1), (14, 1),
        ] {
            var wrong = vector
            wrong[index] ^= UInt8(mask)
            expectFailure(.decode) { try cipher.decrypt(ciphertext, vector: wrong) }
        }
        var shorter = vector
        shorter[15] ^= 6 ^ 1
        #expect(try cipher.decrypt(ciphertext, vector: shorter).array.count == 15)
    }

    // MARK: Python, as the other side

    @Test(.enabled(if: PythonPeer.isThere)) func pythonGetsTheSameKey() throws {
        for text in ["", "p", "0123456789abcdef", "line\nend\u{0}\u{E9}"] {
            let agreement = try KeyAgreement()
            let answer = try PythonPeer.answer(to: try agreement.publicKey(), encrypting: text)
            let cipher = SessionCipher(key: try agreement.sessionKey(with: answer.publicKey))
            let secret = try cipher.decrypt(answer.ciphertext, vector: answer.vector)
            #expect(String(decoding: secret.array, as: UTF8.self) == text)
        }
    }

    /// One in 256 shared numbers is shorter than the prime, and yet used in 128 bytes.
    @Test(.enabled(if: PythonPeer.isThere)) func pythonReadsWhatIsEncrypted() throws {
        let agreement = try KeyAgreement()
        let answer = try PythonPeer.answer(
            to: try agreement.publicKey(), encrypting: "", shortShared: true)
        let cipher = SessionCipher(key: try agreement.sessionKey(with: answer.publicKey))
        #expect(try cipher.decrypt(answer.ciphertext, vector: answer.vector).count == 0)
        let (vector, ciphertext) = try cipher.encrypt(Secret("from here"))
        let read = try PythonPeer.decrypt(ciphertext, vector: vector, key: answer.key)
        #expect(read == "from here")
    }
}

extension Secret {
    fileprivate var array: [UInt8] {
        withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
}
#endif
