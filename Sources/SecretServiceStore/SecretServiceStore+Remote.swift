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
        _ item: WrittenItem, _ kept: KeptSecret, _ link: ServiceLink
    ) throws(KeychainError) -> String {
        try unlocking(link) { () throws(KeychainError) in
            let secret = try encrypt(kept, link)
            let answer = try link.wait(
                try link.send(
                    "CreateItem",
                    .tuple(
                        .properties(label: item.label, attributes: item.attributes), secret,
                        .flag(false)),
                    answer: "(oo)"))
            let path = answer.child(0).text.description
            guard path == "/" else {
                return path
            }
            let result = try complete(
                answer.child(1).text.description, link, unlocks: false)
            let created = result.text.description
            guard created != "/" else {
                throw KeychainError(.userCanceled)
            }
            return created
        }
    }

    /// Gives an item another secret.
    func setSecret(
        _ kept: KeptSecret, _ path: String, _ link: ServiceLink
    ) throws(KeychainError) {
        try unlocking(link) { () throws(KeychainError) in
            let secret = try encrypt(kept, link)
            _ = try link.bus.call(
                path, RemoteItem.interface, "SetSecret", .tuple(secret), answer: "()")
        }
    }

    /// Gives an item other attributes and another label.
    ///
    /// - Parameter hasLabel: Whether it has the label already.
    func setProperties(
        _ item: WrittenItem, _ path: String, _ link: ServiceLink, hasLabel: Bool = false
    ) throws(KeychainError) {
        try unlocking(link) { () throws(KeychainError) in
            let interface = ByteString(RemoteItem.interface)
            var replies = [
                link.bus.send(
                    path, ServiceLink.propertiesInterface, "Set",
                    .tuple(
                        .string(interface), .string("Attributes"),
                        .boxed(.attributes(item.attributes))),
                    answer: "()")
            ]
            // Each makes the service write all that it has to the disk.
            if !hasLabel {
                replies.append(
                    link.bus.send(
                        path, ServiceLink.propertiesInterface, "Set",
                        .tuple(
                            .string(interface), .string("Label"), .boxed(.string(item.label))),
                        answer: "()"))
            }
            for reply in replies {
                try link.bus.loop.wait { reply.isThere }
                try reply.check()
            }
        }
    }

    /// Deletes an item; one that is gone is no error.
    func deleteItem(_ path: String, _ link: ServiceLink) throws(KeychainError) {
        do throws(KeychainError) {
            try unlocking(link) { () throws(KeychainError) in
                let answer = try link.bus.call(
                    path, RemoteItem.interface, "Delete", .none, answer: "(o)")
                let prompt = answer.child(0).text.description
                if prompt != "/" {
                    _ = try complete(prompt, link, unlocks: false)
                }
            }
        } catch {
            guard error.status == .itemNotFound else {
                throw error
            }
        }
    }
}
#endif
