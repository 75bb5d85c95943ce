import LanyardSecrets

@testable import SyncEngine

extension TeamSimulation {
    /// A device of the team, as its disk has it.
    final class Device {
        let identity: DeviceIdentity
        private(set) var stored: Replica
        /// An earlier one, to which a restored home folder goes back, if one was kept.
        private var older: Replica?
        var pending: [(id: Int64, change: LocalChange)] = []
        /// All its changes of each record.
        var made: [Identifier: Set<Int64>] = [:]
        /// Changes that are in the replica, and not acknowledged.
        var waiting: [Int64] = []
        var isAway = false
        /// Whether it is in the middle of an exchange.
        var isBusy = false
        var isGone = false
        /// What its last exchange found.
        var findings: Set<SyncReport.Finding> = []
        /// Whether it went back, and did not exchange since.
        var wentBack = false
        /// What its last exchange did.
        var result = ""
        /// Whether it signs what is not so.
        var isLiar = false
        /// Whether it was a reader some time.
        var wasReader = false
        /// Whether it changes items.
        let isWriter: Bool
        /// How wrong its clock is, in seconds.
        let skew: Int64

        init(
            _ identity: DeviceIdentity, _ replica: Replica, isWriter: Bool = true, skew: Int64
        ) {
            self.isWriter = isWriter
            self.identity = identity
            stored = replica
            self.skew = skew
        }

        /// Runs what changes the replica, and stores it unless the function throws or returns nil, as if the process
        /// had ended.
        ///
        /// - Parameter keepsOlder: Whether the replica before is the one to go back to.
        func change<Result>(
            keepsOlder: Bool, _ body: () throws(KeychainError) -> Result?
        ) throws(KeychainError) -> Result? {
            let before = keepsOlder ? try stored.copy() : nil
            let result = try stored.change(keepingIf: { $0 != nil }, body)
            if result != nil {
                older = before ?? older
                wentBack = false
            }
            return result
        }

        /// Restores an earlier home folder.
        ///
        /// - Returns: Whether one was kept.
        func goBack() throws -> Bool {
            guard let older else {
                return false
            }
            stored = try older.copy()
            wentBack = true
            return true
        }
    }
}
