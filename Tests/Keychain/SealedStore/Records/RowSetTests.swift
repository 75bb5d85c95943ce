import TestSupport
import Foundation
import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SealedStore

@Suite("Row set") struct RowSetTests {
    private func row(_ random: inout SeededRandom) -> ItemRow {
        let reference = ItemReference(
            itemClass: .internetPassword, id: ItemID(random.bytes(16))!)
        var row = ItemRow(reference, change: Int64(random.number(below: 1 << 40)))
        row.tags = IndexTags(
            identity: random.bytes(16), server: random.bytes(16), service: nil,
            account: random.bytes(16), accessGroup: random.bytes(16))
        row.attributes = random.bytes(80)
        row.secret = random.bytes(112)
        return row
    }

    @Test func theOrderDoesNotCountAndRemovingUndoesInserting() throws {
        let keys = try UnlockedKeys.made()
        var random = SeededRandom()
        let rows = (0..<200).map { _ in row(&random) }
        var forwards = RowSet()
        var backwards = RowSet()
        for row in rows {
            forwards.insert(row, keys)
        }
        for row in rows.reversed() {
            backwards.insert(row, keys)
        }
        #expect(forwards == backwards)
        #expect(forwards.count == 200)
        for row in rows.shuffled(using: &random) {
            forwards.remove(row, keys)
        }
        #expect(forwards == RowSet(), "seed \(SeededRandom.seed)")
    }

    /// Removing first goes below zero and back: the sum is one of 256 bits that go round.
    @Test func removingFirst() throws {
        let keys = try UnlockedKeys.made()
        var random = SeededRandom()
        var set = RowSet()
        let rows = (0..<20).map { _ in row(&random) }
        for row in rows {
            set.remove(row, keys)
        }
        #expect(set != RowSet())
        for row in rows {
            set.insert(row, keys)
        }
        #expect(set == RowSet())
    }

    /// A row twice does not cancel itself out, as it would with an exclusive or.
    @Test func aRowTwiceCounts() throws {
        let keys = try UnlockedKeys.made()
        var random = SeededRandom()
        let row = row(&random)
        var set = RowSet()
        set.insert(row, keys)
        set.insert(row, keys)
        #expect(set != RowSet())
        set.remove(row, keys)
        set.remove(row, keys)
        #expect(set == RowSet())
    }

    @Test func everyPartOfARowCounts() throws {
        let keys = try UnlockedKeys.made()
        var random = SeededRandom()
        let row = row(&random)
        let changes: [(String, (inout ItemRow) -> Void)] = [
            ("change", { $0.change += 1 }),
            ("id", { $0.id = .random() }),
            ("class", { $0.itemClass = .genericPassword }),
            ("accessible", { $0.accessible = .always }),
            ("metadata generation", { $0.metadataGeneration += 1 }),
            ("secret generation", { $0.secretGeneration += 1 }),
            ("identity", { $0.tags.identity[0] ^= 1 }),
            ("server", { $0.tags.server?[0] ^= 1 }),
            ("no server", { $0.tags.server = nil }),
            ("service", { $0.tags.service = [1] }),
            (
                "service for server",
                {
                    $0.tags.service = $0.tags.server
                    $0.tags.server = nil
                }
            ),
            ("account", { $0.tags.account[15] ^= 0x80 }),
            ("access group", { $0.tags.accessGroup.removeLast() }),
            ("attributes", { $0.attributes[0] ^= 1 }),
            (
                "a byte from the attributes to the secret",
                { $0.secret.insert($0.attributes.removeLast(), at: 0) }
            ),
            ("secret", { $0.secret[111] ^= 1 }),
        ]
        var set = RowSet()
        set.insert(row, keys)
        for (what, change) in changes {
            var other = row
            change(&other)
            var changed = RowSet()
            changed.insert(other, keys)
            #expect(changed != set, "\(what)")
        }
    }

    @Test func sealedRoundTrip() throws {
        let keys = try UnlockedKeys.made()
        var random = SeededRandom()
        var set = RowSet()
        set.insert(row(&random), keys)
        set.change = 0x0102_0304_0506_0708
        let sealed = try set.seal(keys)
        #expect(sealed.count == 48 + SealedBox.overhead)
        #expect(try RowSet(opening: sealed, keys) == set)
        #expect(try set.seal(keys) != sealed)
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 4
            #expect(throws: KeychainError(.decode)) { _ = try RowSet(opening: changed, keys) }
        }
        let others = try UnlockedKeys.made()
        #expect(throws: KeychainError(.decode)) { _ = try RowSet(opening: sealed, others) }
    }

    /// The digest of a row, made again from the description of the format.
    @Test func digestOfVersion2() throws {
        let keys = try UnlockedKeys.made()
        var random = SeededRandom()
        let row = row(&random)
        var content = ByteWriter()
        content.number(row.change)
        content.raw(row.id.bytes)
        content.raw("inet")
        content.number(UInt8(1))
        content.number(UInt32(0))
        content.number(UInt32(0))
        for tag in [
            row.tags.identity, row.tags.server ?? [], [], row.tags.account, row.tags.accessGroup,
        ] {
            content.counted(tag)
        }
        content.counted(row.attributes)
        content.number(UInt64(row.secret.count))
        content.raw(row.secret)
        let expected = bytes(KeyedDigest.make(under: keys.rowSetKey, content.bytes.span))
        #expect(bytes(RowSet.digest(row, keys)) == expected)
    }
}
