#if SecretService
internal import CLibsecret
internal import KeychainServices

extension RemoteItem {
    /// Creates an item from what libsecret has loaded.
    init?(_ item: UnsafeMutablePointer<SecretItem>) {
        // Safe: the item is alive, and the table and the label are copies.
        guard let table = unsafe secret_item_get_attributes(item) else {
            return nil
        }
        defer { unsafe g_hash_table_unref(table) }
        var attributes: [ByteString: ByteString] = [:]
        unsafe forEachEntry(of: table) { key, value in
            let key = unsafe ByteString(copying: key.assumingMemoryBound(to: CChar.self))
            unsafe attributes[key] = ByteString(copying: value.assumingMemoryBound(to: CChar.self))
        }
        let label = unsafe secret_item_get_label(item)
        defer { unsafe g_free(label) }
        self.init(
            path: unsafe String(cString: g_dbus_proxy_get_object_path(item.asProxy)),
            label: unsafe label.map { unsafe ByteString(copying: $0) } ?? "",
            attributes: attributes,
            created: unsafe Int64(clamping: secret_item_get_created(item)),
            modified: unsafe Int64(clamping: secret_item_get_modified(item)))
    }
}
#endif
