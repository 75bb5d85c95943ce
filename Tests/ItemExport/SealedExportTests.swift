import KeychainServices
import Testing

@testable import ItemExport

/// What was done to a sealed export is found, and nothing of it is given out then.
@Suite("Sealed export") struct SealedExportTests {
    private static let salt = [UInt8](0xA0..<0xB0)
    /// As cheap as a file may say.
    private static let header = ExportHeader(salt: salt, log2N: 15)
    private static let key = [UInt8](0x20..<0x40)
    private static let start = ExportHeader.size + ExportHeader.authenticationSize
    private static let wholeChunk = SealedExport.chunkSize + 48

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
            #expect(sealed.count == SealedExportTests.start + chunks * 48 + count)
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
        for more in [1, 48, 49, 200] {
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
        let other = ExportHeader(salt: [UInt8](repeating: 1, count: 16), log2N: 15)
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
                // Out of bounds.
                case 16..<25: [.decode]
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
        (14 as UInt8, 8 as UInt32, 1 as UInt32), (19, 8, 1), (63, 8, 1), (17, 7, 1), (17, 9, 1),
        (17, 0x0800_0000, 1), (17, 8, 0), (17, 8, 3), (18, 8, 2), (17, 8, 0xFFFF_FFFF),
    ])
    func nobodyComputesForHours(log2N: UInt8, r: UInt32, p: UInt32) {
        let header = ExportHeader(salt: SealedExportTests.salt, log2N: log2N, r: r, p: p)
        #expect(throws: KeychainError(.decode)) {
            _ = try ExportHeader(decoding: header.encoded.span)
        }
    }

    /// The example of lanyard-export(5), which the independent reader computes, too.
    @Test func theExampleOfThePage() throws {
        let file: [UInt8] =
            Array("lanyard export".utf8) + [0, 1, 15, 0, 0, 0, 8, 0, 0, 0, 1] + [UInt8](0x80..<0x90)
            + hexadecimal("261776dbbac03ff63ce1d0aa980306855ccdacb629cd373e11389b359c14046d")
            + [UInt8](0xC0..<0xE0)
            + hexadecimal("f61b8c9fc37dad15478bb1dc6732fb141df439191f1de846")
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
        #expect(header.log2N == 17 && header.r == 8 && header.p == 1)
    }
}
