#if SecretService
internal import KeychainServices

/// Single changes of what the Secret Service keeps.
extension SecretServiceStore {
    /// Makes a new item.
    ///
    /// gnome-keyring writes it to the disk without its secret first. If it is killed then, the item is there
    /// with an empty secret: see ``StoredItem/isUnfinished(_:)``.
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

    /// Gives an item another secret.
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

    /// Gives an item other attributes and another label.
    ///
    /// - Parameter hasLabel: Whether it has the label already.
    func setProperties(
        _ item: WrittenItem, _ path: String, _ link: ServiceLink, hasLabel: Bool = false
    ) throws(KeychainError) {
        try unlocking(link) { () throws(KeychainError) in
            try link.change { libsecret throws(KeychainError) in
                try libsecret.setAttributes(item.attributes, of: path)
                // Each makes the service write all that it has to the disk.
                if !hasLabel {
                    try libsecret.setLabel(item.label, of: path)
                }
            }
        }
    }

    /// Deletes an item; one that is gone is no error.
    func deleteItem(_ path: String, _ link: ServiceLink) throws(KeychainError) {
        do throws(KeychainError) {
            try unlocking(link) { () throws(KeychainError) in
                try link.change { libsecret throws(KeychainError) in try libsecret.delete(path) }
            }
        } catch {
            guard error.status == .itemNotFound else {
                throw error
            }
        }
    }
}
#endif
