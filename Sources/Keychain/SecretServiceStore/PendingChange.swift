#if SecretService
internal import KeychainServices

/// A planned change of an item.
final class PendingChange {
    /// The item as the service has it.
    let item: StoredItem
    /// Its attributes after the change, nil to delete it.
    var attributes: ItemAttributes?
    var changed: Int64
    /// Its new secret, nil if it stays.
    var secret: SecretBox?

    init(_ item: StoredItem) {
        self.item = item
        attributes = item.attributes
        changed = item.changed
    }

    /// The item after the change, nil if it is deleted then.
    var result: StoredItem? {
        guard let attributes else {
            return nil
        }
        var result = item
        result.attributes = attributes
        result.attributes.modificationDate = Timestamp(
            secondsSinceEpoch: changed / ItemDates.second)
        result.changed = changed
        return result
    }

    /// Whether its identity changes. Then a new item of the service replaces it, because its secret
    /// must never appear under another server's name.
    var changesIdentity: Bool { result.map { $0.identity != item.identity } ?? false }
}

/// The changes of a transaction so far.
struct HeldChanges {
    /// By the items' paths.
    var changes: [String: PendingChange] = [:]
    /// The paths of the items that were added and exist already.
    var added: [String] = []

    /// Returns the items after the changes, together with all changed ones.
    func applied(to items: [StoredItem]) -> [StoredItem] {
        items.filter { changes[$0.remote.path] == nil } + changes.values.compactMap(\.result)
    }

    /// The new secrets by the items' paths.
    var secrets: [String: SecretBox] { changes.compactMapValues(\.secret) }
}
#endif
