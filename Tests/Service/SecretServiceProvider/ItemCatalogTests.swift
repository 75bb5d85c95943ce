#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceProvider

@Suite struct ItemCatalogTests {
    private static func item(
        _ id: ItemID, _ attributes: [ByteString: ByteString], modified: Int64
    ) throws -> ServedItem {
        var stored = OtherItem(attributes: attributes, contentType: "text/plain")
            .stored(label: "l", number: 1)
        stored.creationDate = Timestamp(secondsSinceEpoch: modified)
        stored.modificationDate = Timestamp(secondsSinceEpoch: modified)
        return try #require(
            ServedItem(ItemReference(itemClass: .genericPassword, id: id), stored))
    }

    /// Items set, changed and removed at random are found as in a plain list of them.
    @Test func searchesAgreeWithAModel() throws {
        var random = SeededRandom()
        var catalog = ItemCatalog()
        var model: [ItemID: ServedItem] = [:]
        let ids = (0..<40).map { ItemID(high: 0, low: UInt64($0)) }
        func attributes() -> [ByteString: ByteString] {
            var attributes: [ByteString: ByteString] = [:]
            for _ in 0..<random.number(below: 4) {
                attributes[random.element(of: ["a", "b", "c", "xdg:schema"])] = random.element(
                    of: ["1", "2", "", "org.git.Password", "org.gnome.keyring.NetworkPassword"])
            }
            return attributes
        }
        for _ in 0..<2_000 {
            let id = random.element(of: ids)
            if random.chance(30) {
                catalog.remove(id)
                model[id] = nil
            } else {
                let item = try Self.item(
                    id, attributes(), modified: Int64(random.number(below: 5)))
                catalog.set(item)
                model[id] = item
            }
            let wanted = ServedItem.compared(attributes())
            let expected = model.filter { entry in
                wanted.allSatisfy { entry.value.compared[$0.key] == $0.value }
            }
            let found = catalog.search(wanted)
            #expect(Set(found) == Set(expected.keys) && found.count == expected.count)
            let dates = found.compactMap { model[$0]?.modified }
            #expect(dates == dates.sorted(by: >))
            #expect(
                (catalog.item(withExactly: wanted) != nil)
                    == expected.values.contains { $0.compared == wanted })
            #expect(catalog.dates.created == model.values.map(\.created).min() ?? 0)
            #expect(catalog.dates.modified == model.values.map(\.modified).max() ?? 0)
        }
    }
}
#endif
