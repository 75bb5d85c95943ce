import LanyardTransfer
import KeychainServices

/// An item with everything that an export keeps of it.
struct Item: Hashable, CustomStringConvertible {
    var itemClass: ItemClass
    var attributes: ItemAttributes
    var secret: [UInt8]

    /// Without its secret's bytes.
    var description: String { "\(itemClass) \(attributes), \(secret.count) bytes" }
}

/// A secret of some bytes.
func secret(_ bytes: [UInt8]) -> Secret {
    Secret(copying: bytes.span)
}

/// A secret's bytes.
func bytes(_ secret: borrowing Secret) -> [UInt8] {
    secret.withBytes { ByteString(copying: $0).bytes }
}

extension Keychain {
    /// The items of all classes, those added or changed last first.
    func items() throws -> [Item] {
        var items: [Item] = []
        for itemClass in ItemClass.stored {
            var query = Query(itemClass, returns: [.attributes, .data])
            query.synchronizable = .any
            query.match.limit = .all
            try forEachMatch(query) { item throws(KeychainError) in
                var found: [UInt8] = []
                switch item.secret {
                case .some(let secret): found = bytes(secret)
                case .none: throw KeychainError(.decode)
                }
                items.append(
                    Item(
                        itemClass: item.itemClass, attributes: item.attributes!, secret: found))
                return .next
            }
        }
        return items
    }

    func add(_ item: Item) throws {
        try add(
            item.itemClass, item.attributes, secret: Secret(copying: item.secret.span),
            keepsDates: true)
    }

    /// Adds every item of a document.
    func add(document: borrowing Secret) throws {
        try ExportDocument().read(document) { record throws(KeychainError) in
            switch record.content {
            case .item(let item):
                try add(item.itemClass, item.attributes, secret: item.secret, keepsDates: true)
            case .skipped(let reason, _): throw KeychainError(.param, reason)
            case .failed, .shadowed, .without: throw KeychainError(.param)
            }
        }
    }

    /// All items as a document, and what was left out.
    func document(
        group: ByteString? = nil
    ) throws -> (text: [UInt8], counts: ItemExport.Counts) {
        let pieces = Pieces()
        let counts = try ItemExport(of: self, group: group).write(
            created: Timestamp(secondsSinceEpoch: 7)
        ) { piece throws(KeychainError) in pieces.append(piece) }
        return (pieces.bytes, counts)
    }
}

/// What was written piece by piece.
final class Pieces {
    private(set) var bytes: [UInt8] = []

    func append(_ piece: borrowing Secret) {
        piece.withBytes { bytes += ByteString(copying: $0).bytes }
    }
}
