package import LanyardSecrets
package import SyncEngine

/// Replicas of tests are in memory.
extension Replica {
    /// Makes rows without a replica.
    package static func makeRows() throws(KeychainError) -> SealedRows {
        try SealedRows(
            under: Secret(copying: [UInt8](repeating: 1, count: 32).span),
            label: Array("test".utf8))
    }

    package convenience init(_ roster: Roster) throws(KeychainError) {
        try self.init(roster, in: Replica.makeRows())
    }

    package convenience init(
        joining team: Identifier, from transport: any SyncTransport
    ) throws(KeychainError) {
        try self.init(Roster(of: team, from: transport))
    }

    /// All items, by record.
    package var items: [Identifier: SharedItem] {
        get throws(KeychainError) {
            var items: [Identifier: SharedItem] = [:]
            try forEachItem { record, item in items[record] = item }
            return items
        }
    }
}

extension SyncEngine {
    /// Exchanges changes that are all there.
    @discardableResult
    package func exchange(_ changes: [LocalChange]) throws(KeychainError) -> SyncReport {
        try exchange(changes.count) { changes[$0] }
    }
}

extension LocalChange {
    /// Creates a change of an item as a replica has it.
    package convenience init(
        _ record: Identifier, _ content: consuming Secret?, in replica: Replica
    ) throws(KeychainError) {
        self.init(record, content, base: try replica.item(record).map { ItemBase(of: $0) })
    }

    /// Creates a new item.
    package convenience init(adding content: consuming Secret) throws(KeychainError) {
        self.init(try Identifier.random(), content, base: nil)
    }
}
