import KeychainServices
import Testing

@testable import LanyardCryptography

@Suite("Sealed box") struct SealedBoxTests {
    private var key: Secret { secretOf(Array(0x40..<0x60)) }
    private let data = Array("associated data".utf8)

    private func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
        try SealedBox.seal(plaintext.span, under: key, associatedData: data)
    }

    private func open(_ box: [UInt8]) throws(KeychainError) -> [UInt8] {
        bytes(try SealedBox.open(box.span, under: key, associatedData: data))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 4096, 100_000])
    func roundTrip(_ count: Int) throws {
        let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let box = try seal(plaintext)
        #expect(box.count == count + SealedBox.overhead)
        #expect(try open(box) == plaintext)
    }

    /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
    @Test func equalsThePublishedVector() throws {
        let plaintext =
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
            + "future, sunscreen would be it."
        let key = [UInt8](0x80..<0xA0)
        let data = unhexadecimal("50515253c0c1c2c3c4c5c6c7")
        let box = SealedBox.seal(
            Array(plaintext.utf8).span, under: key.span, nonce: Array(0x40..<0x58),
            associatedData: data)
        let expected =
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa644"
            + "0bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e"
            + "3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52e"
            + "c0875924c1c7987947deafd8780acf49"
        #expect(box == Array(0x40..<0x58) + unhexadecimal(expected))
        let opened = try SealedBox.open(box.span, under: key.span, associatedData: data)
        #expect(text(opened) == plaintext)
    }

    @Test func noTwoBoxesAreAlike() throws {
        let boxes = try (0..<100).map { _ in try seal([1, 2, 3]) }
        #expect(Set(boxes.map { Array($0[..<24]) }).count == 100)
        #expect(Set(boxes.map { Array($0[24...]) }).count == 100)
    }

    @Test func everyByteFlippedIsRefused() throws {
        let box = try seal(Array("sealed".utf8))
        for position in box.indices {
            for flip in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = box
                changed[position] ^= flip
                #expect(throws: KeychainError(.decode)) { try open(changed) }
            }
        }
    }

    @Test func everyOtherLengthIsRefused() throws {
        let box = try seal(Array("sealed".utf8))
        for count in 0..<box.count {
            #expect(throws: KeychainError(.decode)) { try open(Array(box[..<count])) }
        }
        #expect(throws: KeychainError(.decode)) { try open(box + [0]) }
        #expect(throws: KeychainError(.decode)) { try open([0] + box) }
    }

    @Test func anotherKeyOrAssociatedDataIsRefused() throws {
        let box = try seal(Array("sealed".utf8))
        #expect(throws: KeychainError(.decode)) {
            _ = try SealedBox.open(
                box.span, under: secretOf(Array(0x41..<0x61)), associatedData: data)
        }
        for other in [[], data + [0], Array(data.dropLast())] {
            #expect(throws: KeychainError(.decode)) {
                _ = try SealedBox.open(box.span, under: key, associatedData: other)
            }
        }
    }
}
