import KeychainServices
import Testing

@testable import LanyardCryptography

@Suite("Argon2id") struct PassphraseStretchingTests {
    private static let salt = [UInt8](0x80..<0x90)

    private func key(
        _ passphrase: String, _ salt: [UInt8] = salt, memory: UInt32 = 64, passes: UInt32 = 1
    ) throws -> String {
        let stretching = PassphraseStretching(unchecked: salt, memory: memory, passes: passes)
        return Hexadecimal.encode(bytes(try stretching.key(Secret(passphrase))))
    }

    /// The vector of RFC 9106 has four lanes and a secret, which libsodium does not do. These were made with
    /// the reference implementation, libargon2 of Debian 12, and the first again with python3-nacl.
    @Test func equalsTheReferenceImplementation() throws {
        #expect(
            try key("passphrase", memory: 32768)
                == "aa6b251bd3b0a9f54afd9f54cb153f7d10e87d5528ba10ecbe385ba66d5f2383")
        #expect(
            try key("a pässphrase with blanks", memory: 64, passes: 3)
                == "4cad995d729049984526689a86ccad080d6ba75b6e0fbf489d8622f50c079229")
        #expect(
            try key("password", Array("somesaltsomesalt".utf8), memory: 65536, passes: 2)
                == "fc33b78139231d34b71626bd6245c1d72efa190ad605c3d8166a72adcedfa2c2")
        #expect(
            try key("", memory: 8)
                == "a9995112055605bfd796a800f81c4b0e705fc2a8a419eee1a5115e406ffe9f01")
    }

    @Test func everyInputCounts() throws {
        let reference = try key("passphrase")
        #expect(try key("passphrase") == reference)
        #expect(try key("passphrasf") != reference)
        #expect(try key("pass\0phrase") != key("pass"))
        #expect(try key("passphrase", PassphraseStretchingTests.salt.reversed()) != reference)
        #expect(try key("passphrase", memory: 72) != reference)
        #expect(try key("passphrase", passes: 2) != reference)
    }

    /// No file can make anybody compute for hours, or hardly at all.
    @Test(
        arguments: [
            (0, 3), (1, 3), (32767, 1), (262_145, 1), (1 << 20, 1), (UInt32.max, 1), (131_072, 0),
            (131_072, 7), (262_144, 4), (32768, 25), (32768, UInt32.max),
            (UInt32.max, UInt32.max),
        ] as [(UInt32, UInt32)])
    func parametersOutOfBoundsAreRefused(_ memory: UInt32, _ passes: UInt32) {
        #expect(throws: KeychainError(.decode)) {
            _ = try PassphraseStretching(
                salt: PassphraseStretchingTests.salt, memory: memory, passes: passes)
        }
    }

    @Test(
        arguments: [(32768, 1), (32768, 24), (131_072, 3), (131_072, 6), (262_144, 3)]
            as [(UInt32, UInt32)])
    func parametersInBoundsAreTaken(_ memory: UInt32, _ passes: UInt32) throws {
        let stretching = try PassphraseStretching(
            salt: PassphraseStretchingTests.salt, memory: memory, passes: passes)
        #expect(stretching.memory == memory && stretching.passes == passes)
    }

    @Test func aSaltHasSixteenBytes() {
        for count in [0, 15, 17] {
            #expect(throws: KeychainError(.decode)) {
                _ = try PassphraseStretching(
                    salt: [UInt8](repeating: 0, count: count), memory: 131_072, passes: 3)
            }
        }
    }

    @Test func whatIsSetToday() {
        let today = PassphraseStretching(salt: PassphraseStretchingTests.salt)
        #expect(today.memory == 128 << 10 && today.passes == 3)
    }

    @Test(arguments: [(7, 1), (8, 0), (UInt32.max, 1)] as [(UInt32, UInt32)])
    func parametersThatCannotBeMetAreAnError(_ memory: UInt32, _ passes: UInt32) throws {
        let error = keychainError { _ = try key("passphrase", memory: memory, passes: passes) }
        #expect(error?.status == .allocate)
        #expect(error?.reason.contains("passphrase") == true)
    }
}
