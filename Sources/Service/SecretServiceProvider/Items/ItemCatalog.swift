#if SecretService
internal import KeychainServices

/// The items of a collection, with an index over their attributes.
struct ItemCatalog {
    private var items: [ItemID: ServedItem] = [:]
    private var index: [Pair: Set<ItemID>] = [:]

    private struct Pair: Hashable {
        let name: ByteString
        let value: ByteString
    }

    var count: Int { items.count }

    /// Newest first.
    var ids: [ItemID] { sorted(items.keys) }

    /// When the first item was created and the last one changed; 0 without items.
    var dates: (created: UInt64, modified: UInt64) {
        (items.values.map(\.created).min() ?? 0, items.values.map(\.modified).max() ?? 0)
    }

    subscript(id: ItemID) -> ServedItem? { items[id] }

    /// Takes an item over, in place of one with the same id.
    mutating func set(_ item: ServedItem) {
        remove(item.reference.id)
        items[item.reference.id] = item
        for (name, value) in item.compared {
            index[Pair(name: name, value: value), default: []].insert(item.reference.id)
        }
    }

    mutating func remove(_ id: ItemID) {
        guard let item = items.removeValue(forKey: id) else {
            return
        }
        for (name, value) in item.compared {
            let pair = Pair(name: name, value: value)
            index[pair]?.remove(id)
            if index[pair]?.isEmpty == true {
                index[pair] = nil
            }
        }
    }

    /// Returns the items that have at least these attributes, newest first.
    func search(_ wanted: [ByteString: ByteString]) -> [ItemID] {
        let compared = ServedItem.compared(wanted)
        guard !compared.isEmpty else {
            return ids
        }
        var matching: [Set<ItemID>] = []
        for (name, value) in compared {
            guard let ids = index[Pair(name: name, value: value)] else {
                return []
            }
            matching.append(ids)
        }
        // The rarest one leaves few to look for in the others.
        matching.sort { $0.count < $1.count }
        return sorted(
            matching[0].filter { id in matching.dropFirst().allSatisfy { $0.contains(id) } })
    }

    /// Returns an item with exactly these attributes.
    func item(withExactly attributes: [ByteString: ByteString]) -> ServedItem? {
        let compared = ServedItem.compared(attributes)
        return search(attributes).lazy.compactMap { items[$0] }.first { $0.compared == compared }
    }

    private func sorted(_ ids: some Sequence<ItemID>) -> [ItemID] {
        ids.map { (id: $0, modified: items[$0]?.modified ?? 0) }
            .sorted { left, right in
                left.modified == right.modified
                    ? left.id < right.id : left.modified > right.modified
            }
            .map { $0.id }
    }
}
#endif
