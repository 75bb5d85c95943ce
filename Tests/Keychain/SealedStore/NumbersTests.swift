import KeychainServices
import Testing

@testable import SealedStore

/// Which items were stored since, without opening one.
@Suite("Numbers of items") struct NumbersTests {
    private let scratch: ScratchKeychain
    private let store: SealedStore

    init() throws {
        scratch = try ScratchKeychain()
        store = try scratch.openStore()
    }

    private func add(_ server: ByteString) throws -> ItemReference {
        try store.add(.internetPassword, internetPassword(server), secret: Secret("one"))
    }

    private func numbers() throws -> [ItemID: Int64] {
        var numbers: [ItemID: Int64] = [:]
        var ids: [[UInt8]] = []
        let isNumbered = try store.forEachNumber { id, change throws(KeychainError) in
            numbers[id] = change
            ids.append(id.bytes)
        }
        #expect(isNumbered)
        #expect(ids == ids.sorted { $0.lexicographicallyPrecedes($1) })
        return numbers
    }

    @Test func onlyWhatIsStoredGetsAnotherNumber() throws {
        #expect(try numbers().isEmpty)
        let references = try (0..<20).map { try add(ByteString("\($0).example")) }
        let before = try numbers()
        #expect(Set(before.keys) == Set(references.map(\.id)))
        #expect(Set(before.values).count == 20)
        for reference in references {
            let number = try #require(before[reference.id])
            #expect(try store.item(numbered: number) == reference)
        }
        var changes = ItemAttributes()
        changes.label = "new"
        #expect(try store.update(Query(references[3]), changes, secret: nil) == 1)
        #expect(try store.delete(Query(references[4])) == 1)
        let after = try numbers()
        #expect(after.count == 19)
        for reference in references where reference != references[4] {
            #expect((after[reference.id] == before[reference.id]) == (reference != references[3]))
        }
        #expect(try store.item(numbered: before[references[3].id] ?? 0) == nil)
        #expect((after[references[3].id] ?? 0) > (before.values.max() ?? 0))
    }

    @Test func aMissingItemIsNoticed() throws {
        _ = try add("a.example")
        let id = try add("b.example").id
        let number = try #require(try numbers()[id])
        let database = try RawDatabase(scratch.location.file)
        try database.run("DELETE FROM item WHERE change = \(number)")
        #expect(keychainError { _ = try numbers() }?.status == .decode)
    }
}
