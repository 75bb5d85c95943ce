#if SecretService
internal import KeychainServices

/// Single changes of what the Secret Service stores.
extension SecretServiceStore {
    /// Creates an item.
    ///
    /// gnome-keyring first writes it to the disk without its secret. If it is killed then, the item
    /// has an empty secret: see ``StoredItem/isUnfinished(_:)``.
    ///
    /// - Returns: Its path.
    func create(
        _ item: WrittenItem, _ kept: SecretBox, _ link: ServiceLink
    ) throws(KeychainError) -> String {
        try unlocking(link) { () throws(KeychainError) in
            let value = try copy(kept, link)
            return try link.create(item, value)
        }
    }

    /// Replaces an item's secret.
    func setSecret(
        _ kept: SecretBox, _ path: String, _ link: ServiceLink
    ) throws(KeychainError) {
        try unlocking(link) { () throws(KeychainError) in
            let value = try copy(kept, link)
            try link.change { libsecret throws(KeychainError) in
                try libsecret.setSecret(value, of: path)
            }
        }
    }

    /// Replaces an item's attributes and label.
    ///
    /// - Parameter hasLabel: Whether it has the label already.
    func setProperties(
        _ item: WrittenItem, _ path: String, _ link: ServiceLink, hasLabel: Bool = false
    ) throws(KeychainError) {
        try unlocking(link) { () throws(KeychainError) in
            try link.change { libsecret throws(KeychainError) in
                try libsecret.setAttributes(item.attributes, of: path)
                // Each call makes the service write everything to the disk.
                if !hasLabel {
                    try libsecret.setLabel(item.label, of: path)
                }
            }
        }
    }

    /// Deletes an item; a missing one is not an error.
    func deleteItem(_ path: String, _ link: ServiceLink) throws(KeychainError) {
        try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
            try unlocking(link) { () throws(KeychainError) in
                try link.change { libsecret throws(KeychainError) in try libsecret.delete(path) }
            }
        }
    }
}
#endif
