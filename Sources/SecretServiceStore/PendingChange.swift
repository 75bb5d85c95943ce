#if SecretService
internal import KeychainServices

/// What is to become of an item.
final class PendingChange {
    /// The item as the service has it.
    let item: StoredItem
    /// Its attributes after the change, nil if it is to be deleted.
    var attributes: ItemAttributes?
    var changed: Int64
    /// Its new secret, nil if it keeps its own.
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

    /// Whether it becomes another item, so that another item of the service takes its place: at no
    /// moment must a secret stand under another server's name.
    var changesIdentity: Bool { result.map { $0.identity != item.identity } ?? false }
}

/// What a transaction has changed so far.
struct HeldChanges {
    /// By the items' paths.
    var changes: [String: PendingChange] = [:]
    /// The paths of the items that were added: they are there already.
    var added: [String] = []

    /// Items as they are after the changes, and with them all that are changed.
    func applied(to items: [StoredItem]) -> [StoredItem] {
        items.filter { changes[$0.remote.path] == nil } + changes.values.compactMap(\.result)
    }

    /// The new secrets by the items' paths.
    var secrets: [String: SecretBox] { changes.compactMapValues(\.secret) }
}
#endif
