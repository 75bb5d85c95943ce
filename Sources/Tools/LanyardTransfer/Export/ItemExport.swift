package import KeychainServices
internal import StrictJSON

/// Exports the items of a keychain as one document, which ``ExportDocument`` reads: lanyard-export(5).
///
/// It leaves out items bound to this machine. If several keychains have items with the same identity, it
/// exports only the first one. The corresponding function is SecItemExport.
package struct ItemExport {
    /// Counts items by their outcome, and has those that only their owner can take along.
    package struct Counts: Hashable, Sendable {
        /// In the document.
        package var exported = 0
        /// Left out, because they are bound to this machine.
        package var thisDeviceOnly: [ItemAttributes] = []
        /// Left out, because an earlier keychain has an item with the same identity.
        package var hidden = 0
        /// Left out, because only a password of their program opens them.
        package var underPassword: [ItemAttributes] = []
        /// Left out, because they fail authentication.
        package var damaged = 0
        /// Why other items can't even be found, nil if all can.
        package var missing: String?

        /// Starts with zero.
        package init() {}
    }

    private let keychain: Keychain
    private let group: ByteString?

    /// - Parameter group: The access group to export; nil for all.
    package init(of keychain: Keychain, group: ByteString? = nil) {
        self.keychain = keychain
        self.group = group
    }

    /// Writes the document. Each class ends with its latest item, which preserves the order on import.
    ///
    /// - Parameters:
    ///   - created: The document's time.
    ///   - output: Takes a piece of the document.
    ///   - progress: Gets the number of finished items and the total.
    /// - Throws: ``Status/interactionNotAllowed`` if a secret is locked, what the keychain and the closure
    ///   throw; part of the document may already be written then.
    package func write(
        created: Timestamp,
        to output: @escaping (borrowing Secret) throws(KeychainError) -> Void,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> Counts {
        var counts = Counts()
        let references = try selected(&counts)
        var gone: Set<ItemReference> = []
        try JSONWriter.write(to: output) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try writer.member("format", ExportDocument.format)
                try writer.member("version", ExportDocument.version)
                try writer.member("created", created.secondsSinceEpoch)
                try writer.member("items") { writer throws(KeychainError) in
                    try writer.writeArray { writer throws(KeychainError) in
                        var done = 0
                        try keychain.readInPieces(references.reversed()) {
                            reference throws(KeychainError) in
                            try read(reference)
                        } then: { reference, found throws(KeychainError) in
                            switch found {
                            case .item(let item):
                                try writer.write(item)
                                counts.exported += 1
                            case .damaged: counts.damaged += 1
                            case .missing: gone.insert(reference)
                            }
                            done += 1
                            progress(done, references.count)
                        }
                    }
                }
            }
        }
        // Items that are listed but not found were not deleted.
        if !gone.isEmpty {
            var counted = Counts()
            counts.damaged += try self.references(&counted).count { gone.contains($0) }
        }
        return counts
    }

    /// Returns the items to export, in the keychain's order.
    private func selected(_ counts: inout Counts) throws(KeychainError) -> [ItemReference] {
        var selected: [ItemReference] = []
        var identities: Set<ItemIdentity> = []
        for reference in try references(&counts) {
            let attributes: ItemAttributes
            do throws(KeychainError) {
                // Read separately, because a damaged item would end a walk over all.
                let found = try keychain.firstMatch(of: Query(reference, returns: .attributes))?
                    .attributes
                guard let found else {
                    // An item that is not found is searched again at the end.
                    selected.append(reference)
                    continue
                }
                attributes = found
            } catch  where error.status == .decode {
                counts.damaged += 1
                continue
            }
            if attributes.accessible?.isThisDeviceOnly == true
                || attributes.accessGroup == .setupGroup
            {
                counts.thisDeviceOnly.append(attributes)
            } else if (try? attributes.requirements.applicationPassword) == true {
                counts.underPassword.append(attributes)
            } else if identities.insert(ItemIdentity(reference.itemClass, attributes)).inserted {
                selected.append(reference)
            } else {
                counts.hidden += 1
            }
        }
        return selected
    }

    private func references(_ counts: inout Counts) throws(KeychainError) -> [ItemReference] {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        let references = try keychain.references(ofAll: ItemClass.stored.reversed(), attributes)
        counts.missing = references.damage?.reason
        return references.found
    }

    private enum Found {
        case item(NewItem)
        case damaged
        /// It was deleted meanwhile, or can't be found any more.
        case missing
    }

    private func read(_ reference: ItemReference) throws(KeychainError) -> Found {
        do throws(KeychainError) {
            return try keychain.newItem(reference).map { .item($0) } ?? .missing
        } catch  where error.status == .decode {
            return .damaged
        }
    }
}

extension JSONWriter {
    /// Writes an item as an object.
    fileprivate mutating func write(_ item: NewItem) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("class", ExportDocument.name(of: item.itemClass))
            try writer.member("attributes", item.attributes)
            guard item.secret.withBytes({ ExportDocument.isText($0) }) else {
                try writer.member(object: "secret") { writer throws(KeychainError) in
                    try writer.member("base64", item.secret.withBytes { Base64.encode($0) })
                }
                return
            }
            try writer.member("secret", item.secret)
        }
    }
}
