import Cryptography
import LinuxSystem
import Secrets

@testable import SyncEngine

/// Replicas of tests are in memory, and can be copied, as a home folder that is restored or a stolen one.
extension Replica {
    private static func makeRows() throws(KeychainError) -> SealedRows {
        try SealedRows(
            under: Secret(copying: [UInt8](repeating: 1, count: SealedBox.keySize).span),
            label: Array("test".utf8))
    }

    convenience init(_ roster: Roster) throws(KeychainError) {
        try self.init(roster, in: Replica.makeRows())
    }

    convenience init(
        joining team: Identifier, from transport: any SyncTransport
    ) throws(KeychainError) {
        try self.init(Roster(of: team, from: transport))
    }

    /// Returns another replica that knows the same.
    func copy() throws(KeychainError) -> Replica {
        let copy = try Replica.makeRows()
        try copy.change(keepingIf: { _ in true }) { () throws(KeychainError) in
            for kind in SealedRows.Kind.allCases {
                try rows.forEach(kind) { key, value throws(KeychainError) in
                    try copy.set(value, kind, key)
                }
            }
        }
        let replica = try Replica(reading: copy)
        try replica.change { () throws(KeychainError) in
            for record in try Set(items.keys).union(heads.keys.map(recordOfHead)) {
                if let version = try serverVersion(of: record) {
                    try replica.setServerVersion(of: record, to: version)
                }
            }
        }
        return replica
    }

    private func recordOfHead(_ device: Identifier) -> Identifier {
        DeviceHead.record(of: device, team: roster.team)
    }

    /// All items, by record.
    var items: [Identifier: SharedItem] {
        get throws(KeychainError) {
            var items: [Identifier: SharedItem] = [:]
            try forEachItem { record, item in items[record] = item }
            return items
        }
    }

    var heads: [Identifier: DeviceHead] { summary.heads }
}

extension SyncEngine {
    /// Exchanges changes that are all there.
    @discardableResult
    func exchange(_ changes: [LocalChange]) throws(KeychainError) -> SyncReport {
        try exchange(changes.count) { changes[$0] }
    }
}

extension LocalChange {
    /// Creates a change of an item as a replica has it.
    convenience init(
        _ record: Identifier, _ content: consuming Secret?, in replica: Replica
    ) throws(KeychainError) {
        self.init(record, content, base: try replica.item(record).map { ItemBase(of: $0) })
    }

    /// Creates a new item.
    convenience init(adding content: consuming Secret) throws(KeychainError) {
        self.init(try Identifier.random(), content, base: nil)
    }
}
