internal import LanyardSecrets

extension SyncTransport {
    /// Reads all entries of the roster that a server shows after a head, also those for which its answer has no room; once more
    /// if the reading needs that, which may be twice.
    ///
    /// - Throws: ``Status/decode`` if there are not as many as it says; what the reading and the transport throw.
    func read(
        _ changes: ServerChanges, since: ServerHead, _ reading: inout RosterReading
    ) throws(KeychainError) {
        try readOnce(changes, since: since, &reading)
        while reading.needsAnotherLook() {
            let start = ServerHead.afterRecords(since.rosterCount)
            try readOnce(try self.changes(since: start), since: start, &reading)
        }
    }

    private func readOnce(
        _ changes: ServerChanges, since: ServerHead, _ reading: inout RosterReading
    ) throws(KeychainError) {
        let end = changes.head.rosterCount
        // What is beyond their number, no entry takes the place of.
        guard end >= since.rosterCount, end - since.rosterCount <= UInt64(changes.roster.count)
        else {
            throw SyncEngine.incomplete
        }
        var position = since.rosterCount
        var entries = changes.roster.prefix(Int(end - position))
        while !entries.isEmpty {
            var size = 0
            // What does not fit is empty: an answer that is not full has it all.
            let rest = entries.firstIndex { entry in
                size += entry.count
                return entry.isEmpty && size > SyncLimits.answerSize - SyncLimits.givenSize
            }
            let read = entries[..<(rest ?? entries.endIndex)]
            for entry in read {
                reading.take(entry)
            }
            position += UInt64(read.count)
            guard position < end else {
                return
            }
            let more = try self.changes(since: .afterRecords(position))
            entries = more.roster.prefix(Int(end - position))
            guard entries.count == Int(end - position) else {
                throw SyncEngine.incomplete
            }
        }
    }
}
