import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import LanyardTransfer

/// What was done to a sealed export is found, and nothing of it is given out then.
@Suite("Sealed export") struct SealedExportTests {
    private static let salt = [UInt8](0xA0..<0xB0)
    /// As cheap as a file may say.
    private static let stretching = PassphraseStretching(
        unchecked: salt, memory: 32 << 10, passes: 1)
    private static let header = ExportHeader(stretching)
    private static let key = [UInt8](0x20..<0x40)
    private static let start = ExportHeader.size + ExportHeader.authenticationSize
    private static let wholeChunk = SealedExport.chunkSize + 40

    /// A sealed export of a document, under a key that no passphrase has.
    private func seal(_ document: [UInt8], pieces: Int = 1 << 20) throws -> [UInt8] {
        let sealed = Pieces()
        let sealer = try ExportSealer(
            SealedExportTests.header, key: secret(SealedExportTests.key)
        ) { piece throws(KeychainError) in sealed.append(piece) }
        for place in stride(from: 0, to: document.count, by: pieces) {
            try sealer.append(secret(Array(document[place..<min(place + pieces, document.count)])))
        }
        try sealer.finish()
        return sealed.bytes
    }

    private func open(_ file: [UInt8]) throws -> [UInt8] {
        let document = try SealedExport.open(
            file.span, SealedExportTests.header, under: secret(SealedExportTests.key))
        return bytes(document)
    }

    private func expectRefused(
        _ file: [UInt8], _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(what, sourceLocation: sourceLocation) {
            try open(file)
        } throws: { error in
            [.decode, .authFailed].contains((error as? KeychainError)?.status)
        }
    }

    private func document(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    @Test(arguments: [
        0, 1, 100, 65_535, 65_536, 65_537, 131_072, 200_000,
    ])
    func whatIsSealedIsUnsealed(count: Int) throws {
        let document = document(count)
        for pieces in [1 << 20, 65_536, 1000] {
            let sealed = try seal(document, pieces: pieces)
            let chunks = max((count + 65_535) / 65_536, 1)
            #expect(sealed.count == SealedExportTests.start + chunks * 40 + count)
            #expect(try open(sealed) == document)
        }
    }

    @Test func everyByteCounts() throws {
        let sealed = try seal(document(40))
        for place in ExportHeader.size..<sealed.count {
            for bit in [0, 3, 7] {
                var file = sealed
                file[place] ^= 1 << UInt8(bit)
                expectRefused(file, "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test func everyEndCounts() throws {
        let sealed = try seal(document(40))
        for count in 0..<sealed.count {
            expectRefused(Array(sealed[..<count]), "the first \(count) bytes")
        }
        for more in [1, 40, 41, 200] {
            expectRefused(sealed + [UInt8](repeating: 0, count: more), "\(more) bytes more")
        }
    }

    @Test func chunksStayWhereTheyAre() throws {
        let sealed = try seal(document(3 * SealedExport.chunkSize))
        let other = try seal(document(3 * SealedExport.chunkSize))
        let head = Array(sealed[..<SealedExportTests.start])
        func chunk(_ number: Int, of file: [UInt8]) -> [UInt8] {
            let place = SealedExportTests.start + number * SealedExportTests.wholeChunk
            return Array(file[place..<place + SealedExportTests.wholeChunk])
        }
        let chunks = (0..<3).map { chunk($0, of: sealed) }
        #expect(try open(head + chunks.flatMap(\.self)) == document(3 * SealedExport.chunkSize))
        let orders = [
            [0], [0, 1], [0, 2], [1, 2], [1, 0, 2], [0, 2, 1], [0, 1, 2, 2], [0, 0, 1, 2],
        ]
        for order in orders + [[], [2]] {
            expectRefused(head + order.flatMap { chunks[$0] }, "chunks in the order \(order)")
        }
        // Each has keys of its own, but the header is the same one here: one salt is never used twice
        // but in a test.
        #expect(chunk(0, of: other) != chunks[0])
    }

    @Test func chunksBelongToTheirHeader() throws {
        let sealed = try seal(document(40))
        let other = ExportHeader(
            PassphraseStretching(
                unchecked: [UInt8](repeating: 1, count: 16), memory: 32 << 10, passes: 1))
        let key = secret(SealedExportTests.key)
        let head = other.encoded + bytes(other.authentication(under: key))
        let file = head + sealed[SealedExportTests.start...]
        #expect(throws: KeychainError(.decode)) {
            _ = bytes(try SealedExport.open(file.span, other, under: key))
        }
    }

    /// With the passphrase, as a whole.
    @Test func everyByteOfTheHeaderCounts() throws {
        let passphrase = secret(Array("passphrase".utf8))
        let header = SealedExportTests.header
        let sealed = Pieces()
        let sealer = try ExportSealer(header, key: try header.key(passphrase)) {
            piece throws(KeychainError) in sealed.append(piece)
        }
        try sealer.append(secret(Array("document".utf8)))
        try sealer.finish()
        let right = try SealedExport.unseal(secret(sealed.bytes), passphrase: passphrase)
        #expect(bytes(right) == Array("document".utf8))
        for place in 0..<ExportHeader.size {
            var file = sealed.bytes
            file[place] ^= 1
            let expected: [Status] =
                switch place {
                case 0..<14: [.decode]
                case 14, 15: [.wrongVersion, .decode]
                // Out of bounds: too much memory, too many passes, no pass.
                case 16, 20..<24: [.decode]
                default: [.authFailed]
                }
            #expect("byte \(place)") {
                _ = bytes(try SealedExport.unseal(secret(file), passphrase: passphrase))
            } throws: { error in
                expected.contains((error as? KeychainError)?.status ?? .success)
            }
        }
        #expect(throws: KeychainError(.authFailed)) {
            let wrong = secret(Array("Passphrase".utf8))
            _ = bytes(try SealedExport.unseal(secret(sealed.bytes), passphrase: wrong))
        }
    }

    @Test(arguments: [
        (32767 as UInt32, 3 as UInt32), (0, 3), (262_145, 1), (0xFFFF_FFFF, 1), (131_072, 0),
        (131_072, 7), (262_144, 4), (131_072, 0xFFFF_FFFF),
    ])
    func noHoursOfComputing(memory: UInt32, passes: UInt32) {
        let header = ExportHeader(
            PassphraseStretching(
                unchecked: SealedExportTests.salt, memory: memory, passes: passes))
        #expect(throws: KeychainError(.decode)) {
            _ = try ExportHeader(decoding: header.encoded.span)
        }
    }

    /// The example of lanyard-export(5), which the independent reader computes, too.
    @Test func theExampleOfThePage() throws {
        let file: [UInt8] =
            Array("lanyard export".utf8) + [0, 2, 0, 0, 0x80, 0, 0, 0, 0, 1] + [UInt8](0x80..<0x90)
            + hexadecimal("95d5753bac6d7fa727edfaff3535a0749f54a41c2f74171857039c4ed75c3dff")
            + [UInt8](0xC0..<0xD8)
            + hexadecimal("173bd478284f0689c992f16355a26dd0ee4a0819db08252b")
        let document = try SealedExport.unseal(secret(file), passphrase: Secret("passphrase"))
        #expect(bytes(document) == Array("document".utf8))
    }

    private func hexadecimal(_ text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue.map { UInt8($0) } }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test func theHeaderIsWhatWasWritten() throws {
        let header = try ExportHeader()
        #expect(header.encoded.count == ExportHeader.size)
        #expect(try ExportHeader(decoding: header.encoded.span) == header)
        #expect(header.encoded[16..<24] == [0, 2, 0, 0, 0, 0, 0, 3])
    }
}
