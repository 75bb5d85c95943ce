#if SecretService
internal import CLibsecret
internal import KeychainServices

/// An item of the Secret Service in terms of the model, without its secret.
struct StoredItem {
    /// The item as the service has it.
    let remote: RemoteItem
    let reference: ItemReference
    var attributes: ItemAttributes
    /// The time of the last change in nanoseconds since the epoch, which determines the order.
    var changed: Int64

    var identity: ItemIdentity { ItemIdentity(reference.itemClass, attributes) }

    /// Creates the item from one of the service's; nil for one that does not concern this program.
    init?(_ remote: RemoteItem) {
        for schema in itemSchemas {
            if let (itemClass, attributes) = schema.decode(remote) {
                self.init(remote, itemClass, attributes)
                return
            }
        }
        return nil
    }

    private init(_ remote: RemoteItem, _ itemClass: ItemClass, _ identity: ItemAttributes) {
        self.remote = remote
        var attributes = identity
        ExtraAttributes.read(itemClass, remote, into: &attributes)
        // Within a few seconds the service's own date reflects this program's last change; a later
        // one is another program's.
        let own = remote.attributes[ItemDates.changedKey].flatMap { Int64($0.description) }
        let slack: Int64 = 5
        if let own, remote.modified <= own / ItemDates.second + slack {
            changed = own
        } else {
            changed = min(remote.modified, .max / ItemDates.second) * ItemDates.second
        }
        let written = remote.attributes[ItemDates.createdKey].flatMap { Int64($0.description) }
        let changedSeconds = changed / ItemDates.second
        attributes.creationDate = Timestamp(
            secondsSinceEpoch: written ?? min(remote.created, changedSeconds))
        // Dates that an item brought along are valid until it changes.
        let brought =
            changed == own
            ? remote.attributes[ItemDates.modifiedKey].flatMap { Int64($0.description) } : nil
        attributes.modificationDate = Timestamp(secondsSinceEpoch: brought ?? changedSeconds)
        self.attributes = attributes
        reference = ItemReference(itemClass: itemClass, id: StoredItem.id(remote))
    }

    /// Returns the id written into the item, or one made of its path and creation date, because a
    /// path alone can recur. A change writes the id: the creation date stays the one recorded here.
    private static func id(_ remote: RemoteItem) -> ItemID {
        if let written = remote.attributes[ItemDates.idKey],
            let id = ByteString(hexadecimal: written).flatMap({ ItemID($0.bytes) })
        {
            return id
        }
        let moment =
            remote.attributes[ItemDates.changedKey]?.description ?? String(remote.created)
        let name = "\(remote.path) \(moment)"
        // Safe: GLib allocates the text, which is copied before it is freed.
        let digest = unsafe g_compute_checksum_for_string(G_CHECKSUM_SHA256, name, -1)!
        defer { unsafe g_free(digest) }
        let digits = unsafe ByteString(Array(String(cString: digest).utf8.prefix(32)))
        return ItemID(ByteString(hexadecimal: digits)!.bytes)!
    }
}

extension StoredItem {
    /// Returns whether the service was killed before it had written the item's secret: an item of
    /// ours that is empty without a mark. It counts as missing.
    func isUnfinished(_ kept: SecretBox) -> Bool {
        kept.secret.count == 0 && remote.attributes[ItemDates.changedKey] != nil
            && remote.attributes[ItemDates.emptyKey] == nil
    }
}
#endif
