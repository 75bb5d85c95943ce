#if SecretService
import KeychainServices
import Testing

@testable import SecretServiceProvider

@Suite struct DiffieHellmanTests {
    /// The prime of the Second Oakley Group.
    private static let prime = Hexadecimal.decode(
        """
        ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd\
        ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed\
        ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff
        """.utf8)!

    /// The prime less a number of its size.
    private static func prime(less bytes: [UInt8]) -> [UInt8] {
        var borrow = 0
        var difference: [UInt8] = []
        for (left, right) in zip(prime.reversed(), bytes.reversed()) {
            let digit = Int(left) - Int(right) - borrow
            borrow = digit < 0 ? 1 : 0
            difference.append(UInt8(truncatingIfNeeded: digit))
        }
        return difference.reversed()
    }

    private static func number(_ last: UInt8) -> [UInt8] {
        [UInt8](repeating: 0, count: 127) + [last]
    }

    /// From HKDF of Python's package `cryptography`.
    @Test(
        arguments: [
            (number(2), "fded2eddc1597b0c98d213751caef29d"),
            (Array(0..<128), "d030a065c4f99245756b6fc30d00a294"),
            ([UInt8](repeating: 0xFF, count: 128), "c1cd6a99659e9f4ce23718ecfab910af"),
        ] as [([UInt8], String)])
    func keyIsThatOfAnotherImplementation(_ shared: [UInt8], _ key: String) {
        let derived = DiffieHellman.key(of: Secret(bytes: shared))
        #expect(Hexadecimal.encode(derived.bytes) == key)
    }

    /// A client with the exponent 1 has the generator as its public key: what both share is our public key.
    @Test(arguments: [number(2), [2], [0, 2]] as [[UInt8]])
    func bothSidesHaveTheSameKey(_ publicKey: [UInt8]) throws {
        switch DiffieHellman.answer(Secret(bytes: publicKey)) {
        case .none: Issue.record("a valid key is refused")
        case .some(let answer):
            #expect(answer.publicKey.count == 128)
            let key = DiffieHellman.key(of: Secret(bytes: answer.publicKey))
            #expect(answer.key.bytes == key.bytes)
        }
    }

    /// The largest key there is: what both share is our public key or the prime less that.
    @Test func largestKeyIsTaken() throws {
        switch DiffieHellman.answer(Secret(bytes: Self.prime(less: Self.number(2)))) {
        case .none: Issue.record("a valid key is refused")
        case .some(let answer):
            let keys = [answer.publicKey, Self.prime(less: answer.publicKey)].map {
                DiffieHellman.key(of: Secret(bytes: $0)).bytes
            }
            #expect(keys.contains(answer.key.bytes))
        }
    }

    @Test(
        arguments: [
            [], [0], [1], number(0), number(1), prime(less: number(1)), prime,
            prime.dropLast() + [0xFF], [UInt8](repeating: 0xFF, count: 128),
            [0] + number(2), [1] + number(0), [UInt8](repeating: 2, count: 4_096),
        ] as [[UInt8]])
    func keysThatAnybodyCouldComputeAreRefused(_ publicKey: [UInt8]) {
        switch DiffieHellman.answer(Secret(bytes: publicKey)) {
        case .some: Issue.record("the key is taken")
        case .none: break
        }
    }

    @Test func everySessionHasAnotherKey() {
        var seen: Set<[UInt8]> = []
        for _ in 0..<50 {
            switch DiffieHellman.answer(Secret(bytes: [2])) {
            case .some(let answer): seen.insert(answer.publicKey)
            case .none: Issue.record("a valid key is refused")
            }
        }
        #expect(seen.count == 50)
    }
}
#endif
