import KeychainServices
import Testing

@Suite struct ItemReferenceTests {
    private static let id = ItemID(Array(0..<16))!

    @Test func idsHave16Bytes() {
        for count in [0, 15, 17, 20] {
            #expect(ItemID(Array(repeating: 1, count: count)) == nil)
        }
        #expect(Self.id.bytes == Array(0..<16))
    }

    @Test func idsAreOrderedAsTheirBytesAre() {
        var ids: [[UInt8]] = (0..<100).map { _ in ItemID.random().bytes }
        ids += (0..<16).map { position in (0..<16).map { $0 == position ? 1 : 0 } }
        let sorted = ids.compactMap { ItemID($0) }.sorted().map(\.bytes)
        #expect(sorted == ids.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func randomIDsAreRandomInEveryByte() {
        let ids = (0..<256).map { _ in ItemID.random().bytes }
        #expect(Set(ids).count == 256)
        for position in 0..<16 {
            #expect(Set(ids.map { $0[position] }).count > 100)
        }
    }

    @Test(arguments: [ItemClass.genericPassword, .internetPassword, ItemClass(rawValue: "what")])
    func persistentReferenceIsClassAndID(_ itemClass: ItemClass) {
        let reference = ItemReference(itemClass: itemClass, id: Self.id)
        let persistent = reference.persistentReference
        #expect(persistent.bytes == itemClass.rawValue.text.bytes + Self.id.bytes)
        #expect(persistent.reference == reference)
        #expect(PersistentReference(persistent.bytes) == persistent)
    }

    @Test(arguments: [0, 16, 19, 21, 40])
    func otherLengthsAreNoPersistentReference(_ count: Int) {
        #expect(PersistentReference(Array(repeating: 0x61, count: count)) == nil)
    }

    @Test func queryForAReferenceMeansItSynchronizableOrNot() {
        let query = Query(ItemReference(itemClass: .internetPassword, id: Self.id), returns: .data)
        #expect(query.itemClass == .internetPassword)
        #expect(query.synchronizable == .any)
        #expect(query.returns == .data)
        #expect(query.ids == [Self.id])
    }
}
