package import KeychainServices

/// All other items. Their attributes have names that other programs don't search for, except those
/// of git's logins, which git-credential-libsecret may find.
package enum LanyardSchema: ItemSchema {
    package static let keys = GitPasswordSchema.keys
    private static let classKey: ByteString = "lanyard:class"

    package static func narrowings(_ query: Query) -> [Narrowing] {
        guard let itemClass = query.itemClass, !GitPasswordSchema.findsAll(query) else {
            return []
        }
        var wanted: [ByteString: ByteString] = [
            SchemaName.key: SchemaName.lanyard, classKey: itemClass.rawValue.text,
        ]
        for entry in query.attributes.entries where itemClass.primaryKey.contains(entry.attribute) {
            if let text = entry.value.text {
                if query.match.comparesBytes, !text.isEmpty, text.isSearchable {
                    ExtraAttributes.write(entry.value, of: entry.attribute, in: &wanted)
                }
            } else if entry.value != entry.attribute.row.absent {
                ExtraAttributes.write(entry.value, of: entry.attribute, in: &wanted)
            }
        }
        if query.synchronizable == .synchronizable {
            ExtraAttributes.write(.flag(true), of: .synchronizable, in: &wanted)
        }
        return [.attributes(wanted)]
    }

    package static func identity(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) -> [ByteString: ByteString]? {
        var written: [ByteString: ByteString] = [
            SchemaName.key: SchemaName.lanyard, classKey: itemClass.rawValue.text,
        ]
        written.merge(GitPasswordSchema.common(itemClass, attributes)) { own, _ in own }
        for part in itemClass.primaryKey {
            // A number that means none is left out, because a search for the item lacks it, too.
            if let value = attributes[part],
                value.text != nil || value.flag != nil || value != part.row.absent
            {
                ExtraAttributes.write(value, of: part, in: &written)
            }
        }
        return written
    }

    package static func decode(_ item: RemoteItem) -> (ItemClass, ItemAttributes)? {
        guard item.schema == SchemaName.lanyard,
            let code = item.attributes[classKey].flatMap({ FourCharacterCode($0) })
        else {
            return nil
        }
        let itemClass = ItemClass(rawValue: code)
        // An unknown class has attributes of which nothing is known: it can't be written anew.
        guard itemClass.isStored else {
            return nil
        }
        var attributes = ItemAttributes()
        for part in itemClass.primaryKey {
            attributes[part] = ExtraAttributes.read(part, in: item.attributes)
        }
        return (itemClass, attributes)
    }
}
