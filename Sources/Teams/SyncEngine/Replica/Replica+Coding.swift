internal import LanyardCryptography
internal import LanyardSecrets

// The stored form. Contents stay encrypted under the team's keys; the names of persons and devices do not, so each row
// is encrypted.
extension Replica.Summary {
    /// Stores what has no rows of its own.
    mutating func write(to rows: SealedRows) throws(KeychainError) {
        var writer = ByteWriter()
        writer.number(UInt32(requests.count))
        for card in requests.values {
            card.append(to: &writer)
        }
        writer.number(UInt8(hasMoreRequests ? 1 : 0))
        writer.number(server.sequence)
        writer.number(server.rosterCount)
        writer.number(UInt8(lastRecord == nil ? 0 : 1))
        lastRecord?.append(to: &writer)
        seen.append(to: &writer)
        writer.number(lastNumber)
        writer.number(UInt32(changes.count))
        for (device, sum) in changes {
            writer.raw(device.bytes)
            sum.append(to: &writer)
        }
        try rows.set(writer.bytes, .replica, [])
        guard looked != storedLooked else {
            return
        }
        var other = ByteWriter()
        looked.asked.append(to: &other)
        for digest in looked.forgeries.digests {
            other.raw(digest.bytes)
        }
        try rows.set(other.bytes, .replica, Replica.Summary.lookedKey)
        storedLooked = looked
    }

    private static let lookedKey = Array("looked".utf8)

    /// Reads what is stored.
    ///
    /// - Throws: ``Status/decode`` for anything that a replica does not write.
    init(reading rows: SealedRows) throws(KeychainError) {
        var roster: Roster?
        try rows.forEach(.rosterEntry) { key, value throws(KeychainError) in
            let entry = try RosterEntry(value)
            if roster == nil {
                roster = try Roster(entry)
            } else if key[0] >= Replica.lostEntryMark {
                try roster?.keep(lost: value)
            } else {
                // Checked before it was stored, and what is stored is authenticated.
                try roster?.append(entry, isSigned: true)
            }
        }
        guard let roster, let value = try rows.value(.replica, []) else {
            throw KeychainError(.decode)
        }
        self.init(roster: roster)
        try rows.forEach(.head) { _, value throws(KeychainError) in
            var reader = ByteReader(value)
            let head = try DeviceHead(reading: &reader)
            try reader.end()
            heads[head.device] = head
        }
        var reader = ByteReader(value)
        for _ in 0..<(try reader.number(UInt32.self)) {
            let card = try DeviceCard(reading: &reader)
            requests[card.id] = card
        }
        hasMoreRequests = try reader.number(UInt8.self) == 1
        server = ServerHead(
            sequence: try reader.number(), rosterCount: try reader.number())
        if try reader.number(UInt8.self) == 1 {
            lastRecord = try Replica.LastRecord(reading: &reader)
        }
        seen = try VersionVector(reading: &reader)
        lastNumber = try reader.number()
        for _ in 0..<(try reader.number(UInt32.self)) {
            let device = try Identifier(reading: &reader)
            changes[device] = try DigestSum(reading: &reader)
        }
        try reader.end()
        if let value = try rows.value(.replica, Replica.Summary.lookedKey) {
            reader = ByteReader(value)
            looked.asked = try VersionVector(reading: &reader)
            while reader.remaining > 0 {
                looked.forgeries.insert(try Identifier(reading: &reader))
            }
            storedLooked = looked
        }
        unchecked = Set(roster.devices.keys).union(heads.keys).union(changes.keys)
    }
}
