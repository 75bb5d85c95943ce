import RandomNumbers
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Key source") struct KeySourceTests {
    static let all: [KeySource] = [
        .machineKey(id: Array(1...16)),
        .passphrase(
            id: Array(1...16), salt: Array(17...32), log2N: 17, r: 8, p: 1),
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
                "02" + id + "00000019" + "1112131415161718191a1b1c1d1e1f20" + "11" + "00000008"
                    + "00000001",
                "03" + id + "00000000",
            ])
    }

    /// No file can make anybody compute for hours, or hardly at all.
    @Test(
        arguments: [
            (14, 8, 1), (0, 8, 1), (19, 8, 1), (21, 8, 1), (63, 8, 1), (255, 8, 1), (17, 0, 1),
            (17, 1, 1),
            (17, 7, 1), (17, 9, 1), (17, UInt32.max, 1), (17, 8, 0), (17, 8, 3),
            (17, 8, UInt32.max), (18, 8, 2), (16, 8, 5), (15, 8, 9),
        ] as [(UInt8, UInt32, UInt32)])
    func scryptParametersOutOfBoundsAreRefused(_ log2N: UInt8, _ r: UInt32, _ p: UInt32) {
        let source = KeySource.passphrase(
            id: Array(1...16), salt: Array(17...32), log2N: log2N, r: r, p: p)
        #expect(throws: KeychainError(.decode)) { try decoded(encoded(source)) }
    }

    @Test(
        arguments: [(15, 8, 1), (15, 8, 8), (17, 8, 1), (17, 8, 2), (18, 8, 1)]
            as [(UInt8, UInt32, UInt32)])
    func scryptParametersInBoundsAreTaken(_ log2N: UInt8, _ r: UInt32, _ p: UInt32) throws {
        let source = KeySource.passphrase(
            id: Array(1...16), salt: Array(17...32), log2N: log2N, r: r, p: p)
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
