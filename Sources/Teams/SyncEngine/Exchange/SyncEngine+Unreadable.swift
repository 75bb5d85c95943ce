internal import LanyardSecrets

// Records that this device can't read: no device of the team made them, or it lacks their key.
extension SyncEngine {
    /// Notes a record without a right content, which the right one replaces.
    ///
    /// - Parameter room: The number of unknown ones that are noted still: who lies can make any number of them.
    func noteForgery(
        of record: ServerRecord, room: inout Int, _ lacking: inout Lacking,
        _ report: inout SyncReport
    ) throws(KeychainError) {
        let head = replica.roster.headRecords[record.id]
        let isItem = try replica.item(record.id) != nil
        // What is given there needs the version.
        let isKnown = isItem || head != nil
        if isKnown || room > 0 {
            let version = SyncLimits.isVersion(record.version) ? record.version : 0
            try replica.setServerVersion(of: record.id, to: version)
            room -= isKnown ? 0 : 1
        }
        if headsBefore[record.id] != record.version,
            isKnown || report.findings.count < SyncLimits.forgeries
        {
            report.findings.insert(.recordIsForged(record.id))
        }
        if isItem {
            try lacking.items.insert(record.id.bytes)
        }
        if let head, replica.summary.heads[head] != nil {
            lacking.heads.insert(head)
        }
    }

    /// Notes a record under a key that an owner hid from this device. It is no lie of the server: who has the key stores the
    /// record again under the present one.
    func noteHidden(
        _ record: ServerRecord, _ lacking: inout Lacking
    ) throws(KeychainError) {
        let head = replica.roster.headRecords[record.id]
        let isItem = try replica.item(record.id) != nil
        guard isItem || head != nil else {
            return
        }
        seesOnlyPart = true
        let version = SyncLimits.isVersion(record.version) ? record.version : 0
        try replica.setServerVersion(of: record.id, to: version)
        if isItem {
            lacking.hiddenItems.insert(record.id)
        }
        if let head {
            lacking.heads.remove(head)
            lacking.headsAgain.formUnion(head == device.id ? [head] : [])
            lacking.hidesHeads =
                lacking.hidesHeads
                || head != device.id && replica.roster.devices[head]?.role != nil
        }
    }
}
