internal import LinuxSystem
package import LanyardSecrets

// A device that is not in the team yet asks to be added, in a record of its own.
extension SyncTransport {
    /// Asks the team to add a device.
    ///
    /// - Parameter wait: Waits before another attempt; the first attempt is 0.
    /// - Throws: ``Status/databaseLocked`` if others keep changing the team; what the transport throws.
    package func requestToJoin(
        _ card: DeviceCard, wait: (_ attempt: Int) -> Void
    ) throws(KeychainError) {
        try put(RecordContent.request(card), of: card.id, wait)
    }

    /// Ends a device's request to be added.
    ///
    /// - Parameter wait: As for ``requestToJoin(_:wait:)``.
    /// - Throws: As ``requestToJoin(_:wait:)``.
    package func withdrawRequest(
        of device: Identifier, wait: (_ attempt: Int) -> Void
    ) throws(KeychainError) {
        try put(RecordContent.withdrawal(of: device), of: device, wait)
    }

    /// Whether a device's request to be added was ended.
    ///
    /// - Throws: What the transport throws.
    package func isRequestWithdrawn(of device: Identifier) throws(KeychainError) -> Bool {
        let id = RecordContent.requestRecord(of: device)
        return try record(id)?.content == RecordContent.withdrawal(of: device)
    }

    /// Returns the device that asks to be added and has a code, among all that ask: only a part of the requests is
    /// in a replica.
    ///
    /// - Parameter roster: The team's.
    /// - Throws: ``Status/notAvailable`` if the server shows its records too slowly; what the transport throws.
    package func request(
        withCode code: String, _ roster: Roster
    ) throws(KeychainError) -> DeviceCard? {
        let deadline = Deadline(milliseconds: SyncLimits.time)
        var since = ServerHead(sequence: 0, rosterCount: UInt64(roster.entries.count))
        for _ in 0..<SyncLimits.pieces where !deadline.hasPassed {
            let changes = try changes(since: since)
            for record in changes.records {
                // Requests are not encrypted.
                if case .request(let card) = try? RecordContent(
                    record.content, of: record.id, team: roster.team, under: []),
                    SpokenCode.isSame(code, card.code)
                {
                    return card
                }
            }
            guard changes.hasMore, changes.head.sequence > since.sequence else {
                return nil
            }
            since = ServerHead(
                sequence: changes.head.sequence, rosterCount: since.rosterCount)
        }
        throw SyncEngine.endless
    }

    private func put(
        _ content: [UInt8], of device: Identifier, _ wait: (_ attempt: Int) -> Void
    ) throws(KeychainError) {
        let id = RecordContent.requestRecord(of: device)
        for attempt in 0..<SyncEngine.attemptLimit {
            if attempt > 0 {
                wait(attempt - 1)
            }
            let record = ServerRecord(
                id: id, version: try record(id)?.version ?? 0, content: content)
            if try put([record], rosterCount: try head().rosterCount) == .stored {
                return
            }
        }
        throw KeychainError(
            .databaseLocked, "other devices keep changing the team", hint: "try again in a minute")
    }
}

extension SyncEngine {
    /// Refuses a device that asks to be added.
    ///
    /// - Throws: ``Status/writePermissions`` if this device is no owner; what the transport throws.
    package func refuse(_ device: Identifier) throws(KeychainError) {
        guard replica.roster.devices[self.device.id]?.role == .owner else {
            throw SyncEngine.notAnOwner
        }
        try transport.withdrawRequest(of: device, wait: wait)
        try replica.change { () throws(KeychainError) in replica.summary.requests[device] = nil }
    }
}
