package import ItemImport
package import Keychain

/// The items of a keychain, those changed last in the end, so that their order stays in the keychain that
/// they are put into.
package struct KeychainSource {
    /// An item with its secret.
    package final class Item {
        /// Its attributes.
        package let attributes: ItemAttributes
        /// Its secret.
        package let secret: Secret

        init(_ attributes: ItemAttributes, _ secret: consuming Secret) {
            self.attributes = attributes
            self.secret = secret
        }
    }

    /// The items that there were at the beginning.
    package let references: [ItemReference]
    private let keychain: Keychain

    /// Looks at all items of a keychain.
    ///
    /// - Throws: What the keychain throws.
    package init(_ keychain: Keychain) throws(KeychainError) {
        var references: [ItemReference] = []
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            var query = Query(itemClass, returns: .reference)
            query.synchronizable = .any
            query.match.limit = .all
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                if let reference = item.reference {
                    references.append(reference)
                }
                return .next
            }
        }
        references.reverse()
        self.references = references
        self.keychain = keychain
    }

    /// Reads an item.
    ///
    /// - Returns: Nil if it was removed meanwhile.
    /// - Throws: ``Status/decode`` if it is damaged, what the keychain throws.
    package func read(_ reference: ItemReference) throws(KeychainError) -> Item? {
        var read: Item?
        let query = Query(reference, returns: [.attributes, .data])
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            switch item.secret {
            case .some(let secret):
                read = Item(item.attributes ?? ItemAttributes(), secret.copy())
            case .none: break
            }
            return .stop
        }
        return read
    }
}

extension KeychainSource: ImportSource {
    /// How many items there are.
    package var count: Int { references.count }

    /// Hands each item to a closure; one that is damaged is skipped, and one that was removed left out.
    ///
    /// - Throws: What the keychain and the closure throw.
    package func forEach(
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        for (index, reference) in references.enumerated() {
            let item: Item?
            var reason = ""
            do throws(KeychainError) {
                item = try read(reference)
            } catch {
                guard error.status == .decode else {
                    throw error
                }
                item = nil
                reason = error.reason
            }
            let place = "item \(index + 1)"
            if let item {
                try body(
                    ImportRecord(
                        place: place, range: nil,
                        content: .item(
                            NewItem(
                                reference.itemClass, item.attributes, secret: item.secret.copy()))))
            } else if !reason.isEmpty {
                try body(
                    ImportRecord(place: place, range: nil, content: .skipped(reason: reason)))
            }
        }
    }
}
