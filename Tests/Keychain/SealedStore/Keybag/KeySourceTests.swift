import TestSupport
import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SealedStore

@Suite("Key source") struct KeySourceTests {
    static let all: [KeySource] = [
        .machineKey(id: Array(1...16)),
        .passphrase(id: Array(1...16), PassphraseStretching(salt: Array(17...32))),
        .recoveryKey(id: Array(1...16)),
    ]

    private func encoded(_ source: KeySource) -> [UInt8] {
        var writer = ByteWriter()
        source.encode(to: &writer)
        return writer.bytes
    }

    private func decoded(_ bytes: [UInt8]) throws(KeychainError) -> KeySource {
        var reader = ByteReader(bytes)
        let source = try KeySource(from: &reader)
        try reader.end()
        return source
    }

    @Test func everyKindRoundTrips() throws {
        for source in KeySourceTests.all {
            #expect(try decoded(encoded(source)) == source)
        }
    }

    /// The layout is part of the file format.
    @Test func storedForms() {
        let id = "0102030405060708090a0b0c0d0e0f10"
        #expect(
            KeySourceTests.all.map { Hexadecimal.encode(encoded($0)) } == [
                "01" + id + "00000000",
                "02" + id + "00000018" + "1112131415161718191a1b1c1d1e1f20" + "00020000"
                    + "00000003",
                "03" + id + "00000000",
            ])
    }

    /// No file can make anybody compute for hours, or hardly at all: the bounds are ``PassphraseStretching``'s.
    @Test(
        arguments: [(32767, 3), (262_145, 1), (131_072, 0), (131_072, 7), (32768, UInt32.max)]
            as [(UInt32, UInt32)])
    func parametersOutOfBoundsAreRefused(_ memory: UInt32, _ passes: UInt32) {
        let source = KeySource.passphrase(
            id: Array(1...16),
            PassphraseStretching(unchecked: Array(17...32), memory: memory, passes: passes))
        #expect(throws: KeychainError(.decode)) { try decoded(encoded(source)) }
    }

    @Test(arguments: [(32768, 1), (131_072, 6), (262_144, 3)] as [(UInt32, UInt32)])
    func parametersInBoundsAreTaken(_ memory: UInt32, _ passes: UInt32) throws {
        let source = KeySource.passphrase(
            id: Array(1...16),
            PassphraseStretching(unchecked: Array(17...32), memory: memory, passes: passes))
        #expect(try decoded(encoded(source)) == source)
    }

    @Test(arguments: [0, 4, 255] as [UInt8]) func anUnknownKindIsRefused(_ kind: UInt8) {
        var bytes = encoded(.machineKey(id: Array(1...16)))
        bytes[0] = kind
        #expect(throws: KeychainError(.decode)) { try decoded(bytes) }
    }

    @Test func parametersOfASourceThatHasNoneAreRefused() {
        let bytes = [1] + [UInt8](1...16) + [0, 0, 0, 1, 0]
        #expect(throws: KeychainError(.decode)) { try decoded(bytes) }
    }

    @Test func mutatedBytesAreRefusedOrReencodeToThemselves() {
        var random = SeededRandom()
        for _ in 0..<10_000 {
            let source = KeySourceTests.all[random.number(below: 3)]
            let bytes = random.mutated(encoded(source))
            let error = keychainError {
                let reencoded = encoded(try decoded(bytes))
                #expect(reencoded == bytes, "seed \(SeededRandom.seed)")
            }
            #expect(error == nil || error == KeychainError(.decode))
        }
    }
}
