import KeychainServices
import Testing

@testable import Cryptography
@testable import SealedStore
@testable import LinuxSystem

@Suite("Sealed box") struct SealedBoxTests {
    private var key: Secret { secretOf(Array(0x40..<0x60)) }
    private let data = Array("associated data".utf8)

    private func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
        try SealedBox.seal(
            plaintext.span, under: key, use: "lanyard attributes", associatedData: data)
    }

    private func open(_ box: [UInt8]) throws(KeychainError) -> [UInt8] {
        bytes(
            try SealedBox.open(
                box.span, under: key, use: "lanyard attributes", associatedData: data))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 4096, 100_000])
    func roundTrip(_ count: Int) throws {
        let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let box = try seal(plaintext)
        #expect(box.count == count + SealedBox.overhead)
        #expect(try open(box) == plaintext)
    }

    /// Boxes that PyCryptodome's AES made, with HKDF over the salt 00 01 … 1f and a nonce of zeros;
    /// OpenSSL under Python's cryptography agrees.
    @Test(arguments: [
        (
            "associated data", "correct horse battery staple",
            """
            b6aaf03f5b192f1cdeea74e860040c875ebb78a726359d6a616966c28280dbe28298ec750b08a2c42cf349cd
            """
        ),
        (
            "", String(repeating: "x", count: 64),
            """
            adbdfa3546022344cefd7ee37d5c169e52b765ad276d9666786172dfcf5d8ab843cdba9ba71f7883ea4b343d
            307aaac313b9fc7e2f0a05d4d310ccfaf77025b25401945cc2026c52bae1ff8d3fbc36ee
            """
        ),
        ("only associated data", "", "ccc528a26576a3a297400acc1838a501"),
    ])
    func opensBoxesOfAnotherImplementation(
        _ associatedData: String, _ plaintext: String, _ sealed: String
    ) throws {
        let box = Array(0..<32) + unhexadecimal(sealed)
        let opened = try SealedBox.open(
            box.span, under: key, use: "lanyard attributes",
            associatedData: Array(associatedData.utf8))
        #expect(text(opened) == plaintext)
    }

    @Test func noTwoBoxesAreAlike() throws {
        let boxes = try (0..<100).map { _ in try seal([1, 2, 3]) }
        #expect(Set(boxes.map { Array($0[..<32]) }).count == 100)
        #expect(Set(boxes.map { Array($0[32...]) }).count == 100)
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

    @Test func anotherKeyUseOrAssociatedDataIsRefused() throws {
        let box = try seal(Array("sealed".utf8))
        #expect(throws: KeychainError(.decode)) {
            _ = try SealedBox.open(
                box.span, under: secretOf(Array(0x41..<0x61)), use: "lanyard attributes",
                associatedData: data)
        }
        #expect(throws: KeychainError(.decode)) {
            _ = try SealedBox.open(
                box.span, under: key, use: "lanyard secret", associatedData: data)
        }
        for other in [[], data + [0], Array(data.dropLast())] {
            #expect(throws: KeychainError(.decode)) {
                _ = try SealedBox.open(
                    box.span, under: key, use: "lanyard attributes", associatedData: other)
            }
        }
    }
}
