#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceProvider

@Suite struct SessionCipherTests {
    private let key = Array(0..<16 as Range<UInt8>)
    private let parameter = Array(16..<32 as Range<UInt8>)

    private func decrypt(_ value: [UInt8], parameter: [UInt8]? = nil) -> [UInt8]? {
        switch SessionCipher.decrypt(
            Secret(bytes: value), key: Secret(bytes: key),
            parameter: Secret(bytes: parameter ?? self.parameter))
        {
        case .some(let secret): secret.bytes
        case .none: nil
        }
    }

    private func decrypt(hexadecimal value: String) throws -> [UInt8]? {
        decrypt(try #require(Hexadecimal.decode(value.utf8)))
    }

    /// From Python's package `cryptography`.
    @Test func secretsOfAnotherImplementationAreRead() throws {
        #expect(try decrypt(hexadecimal: "0a940bb5416ef045f1c39458c653ea5a") == [])
        #expect(
            try decrypt(hexadecimal: "32d48206b13350116ea9e30645ec25b0") == Array("geheim".utf8))
        #expect(
            try decrypt(
                hexadecimal: "954f64f2e4e86e9eee82d20216684899db93e48ae2f22663e63cdf3870cd08a8")
                == key)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1_000, 65_536])
    func secretsAreReadBack(_ size: Int) throws {
        var random = SeededRandom()
        let secret = random.bytes(size)
        switch SessionCipher.encrypt(Secret(bytes: secret), key: Secret(bytes: key)) {
        case .some(let encrypted):
            #expect(encrypted.value.count == (size / 16 + 1) * 16)
            let read = decrypt(encrypted.value.bytes, parameter: encrypted.parameter.bytes)
            #expect(read == secret)
        case .none: Issue.record("nothing was encrypted")
        }
    }

    /// What has a block for its padding that no writer makes: of zeros, of 17, of two numbers, of 255.
    @Test(
        arguments: [
            "07feef74e1d5036e900eee118e949293", "af14b7de2a1e2d2072da260f68d09424",
            "2c68d7d8da6e092761970f2c600a91e5", "3b9311d01bf881cc6b7cf05f9829d3be",
        ])
    func wrongPaddingIsRefused(_ value: String) throws {
        #expect(try decrypt(hexadecimal: value) == nil)
    }

    @Test(arguments: [0, 1, 15, 17, 31])
    func wrongSizeIsRefused(_ size: Int) throws {
        #expect(decrypt([UInt8](repeating: 1, count: size)) == nil)
        let whole = try #require(Hexadecimal.decode("32d48206b13350116ea9e30645ec25b0".utf8))
        #expect(decrypt(whole, parameter: [UInt8](repeating: 1, count: size)) == nil)
    }

    @Test func everyMessageHasAnotherParameter() {
        var seen: Set<[UInt8]> = []
        for _ in 0..<50 {
            switch SessionCipher.encrypt(Secret("geheim"), key: Secret(bytes: key)) {
            case .some(let encrypted): seen.insert(encrypted.parameter.bytes)
            case .none: Issue.record("nothing was encrypted")
            }
        }
        #expect(seen.count == 50)
    }
}
#endif
