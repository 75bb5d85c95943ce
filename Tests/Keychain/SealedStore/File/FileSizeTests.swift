import TestSupport
import Foundation
import KeychainServices
import Testing

@testable import SealedStore

/// A keychain does not grow with what was done to it, only with what is in it.
@Suite("File size") struct FileSizeTests {
    private static let operations = 10_000

    private func size(_ scratch: ScratchKeychain) throws -> Int {
        try scratch.bytes().count
    }

    /// A keychain with the same items, written one after the other.
    private func fresh(_ scratch: ScratchKeychain) throws -> ScratchKeychain {
        let copy = try ScratchKeychain()
        let to = try copy.openStore()
        let from = try scratch.openStore()
        try to.transaction { () throws(KeychainError) in
            for itemClass in [ItemClass.genericPassword, .internetPassword] {
                try from.forEachMatch(
                    Query(itemClass, returns: [.data, .attributes])
                ) { item throws(KeychainError) in
                    if let attributes = item.attributes, case .some(let secret) = item.secret {
                        _ = try to.add(itemClass, attributes, secret: secret)
                    }
                    return .next
                }
            }
        }
        return copy
    }

    /// - Parameters:
    ///   - names: How many items there can be; about half of them are there in the end. Some 170
    ///     items fit on one page of each index, and one more takes three: near that number the
    ///     file's size depends on how many there once were.
    ///   - longest: Of a secret, in bytes.
    @Test(arguments: [(40, 100), (450, 100), (450, 6000), (3000, 300)])
    func afterManyOperations(names: Int, longest: Int) throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
        var random = SeededRandom()
        for _ in 0..<Self.operations / 10 {
            // Ten at a time: what waits for the disk is no part of this.
            try store.transaction { () throws(KeychainError) in
                for _ in 0..<10 {
                    try change(keychain, &random, names, longest)
                }
            }
        }
        let grown = try size(scratch)
        let copy = try fresh(scratch)
        let written = try size(copy)
        let ratio = (Double(grown) / Double(written)).formatted(
            .number.precision(.fractionLength(2)))
        let free = try RawDatabase(scratch.location.file).number("PRAGMA freelist_count") ?? 0
        print(
            "\(names) names, secrets up to \(longest): \(grown) bytes, \(ratio) of \(written), "
                + "\(free) pages free")
        // Fewer than eight free pages are left in the file.
        #expect(Double(grown) <= 1.5 * Double(written) + 8 * 4096)
        #expect(scratch.verified() == copy.verified())
    }

    private func change(
        _ keychain: Keychain, _ random: inout SeededRandom, _ names: Int, _ longest: Int
    ) throws(KeychainError) {
        let name = ByteString("\(random.number(below: names)).example")
        let attributes = internetPassword(name)
        let query = Query(.internetPassword, attributes)
        let bytes = random.bytes(random.number(below: longest))
        do throws(KeychainError) {
            switch random.number(below: 3) {
            case 0: try keychain.add(.internetPassword, attributes, secret: secretOf(bytes))
            case 1: try keychain.update(query, ItemAttributes(), secret: secretOf(bytes))
            default: try keychain.delete(query)
            }
        } catch {
            guard [.duplicateItem, .itemNotFound].contains(error.status) else {
                throw error
            }
        }
    }

    /// Where almost everything was removed, the file is small again.
    @Test func afterAllWasRemoved() throws {
        let scratch = try ScratchKeychain()
        let empty = try size(scratch)
        let store = try scratch.openStore()
        let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
        try store.transaction { () throws(KeychainError) in
            for number in 0..<2000 {
                try keychain.add(
                    .genericPassword, genericPassword(ByteString("\(number)")),
                    secret: Secret("a secret"))
            }
        }
        #expect(try size(scratch) > 10 * empty)
        try keychain.delete(Query(.genericPassword))
        print("empty: \(empty) bytes, emptied: \(try size(scratch))")
        #expect(Double(try size(scratch)) <= 1.5 * Double(empty))
    }
}
