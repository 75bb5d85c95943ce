import LanyardSecrets
import SyncConformance

@testable import SyncEngine

/// Replicas of tests can be copied, as a home folder that is restored or a stolen one.
extension Replica {
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

    var heads: [Identifier: DeviceHead] { summary.heads }
}
