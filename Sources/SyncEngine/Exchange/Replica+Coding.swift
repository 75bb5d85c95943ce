package import Secrets

// The stored form of a replica. Contents stay encrypted under the team's keys; the names of persons and
// devices do not, so all of it is stored encrypted, in parts that belong together.
extension Replica {
    /// Appends the stored form.
    ///
    /// - Parameter next: Called after each item: it may take what was written, to begin a new part.
    package func append(
        to writer: inout ByteWriter,
        next: (inout ByteWriter) throws(KeychainError) -> Void = { _ throws(KeychainError) in }
    ) throws(KeychainError) {
        writer.number(UInt32(roster.entries.count))
        for entry in roster.entries {
            writer.counted(entry.bytes)
        }
        writer.number(UInt32(items.count))
        for (record, item) in items {
            writer.raw(record.bytes)
            item.append(to: &writer)
            try next(&writer)
        }
        writer.number(UInt32(heads.count))
        for head in heads.values {
            head.append(to: &writer)
        }
        writer.number(UInt32(requests.count))
        for card in requests.values {
            card.append(to: &writer)
        }
        writer.number(UInt8(hasMoreRequests ? 1 : 0))
        writer.number(UInt32(versions.count))
        for (record, version) in versions {
            writer.raw(record.bytes)
            writer.number(version)
            try next(&writer)
        }
        writer.number(server.sequence)
        writer.number(server.rosterCount)
        writer.number(UInt8(lastRecord == nil ? 0 : 1))
        lastRecord?.append(to: &writer)
    }

    /// Reads a replica.
    ///
    /// - Parameter next: Called after each item: it may go on in the next part.
    /// - Throws: ``Status/decode`` for anything that ``append(to:next:)`` does not write; what the closure throws.
    package init(
        reading reader: inout ByteReader,
        next: (inout ByteReader) throws(KeychainError) -> Void = { _ throws(KeychainError) in }
    ) throws(KeychainError) {
        let count = try reader.number(UInt32.self)
        guard count > 0 else {
            throw KeychainError(.decode)
        }
        var roster = try Roster(try RosterEntry(try reader.counted()))
        for _ in 1..<count {
            // Checked before it was stored, and what is stored is authenticated.
            try roster.append(try RosterEntry(try reader.counted()), isSigned: true)
        }
        self.init(roster)
        for _ in 0..<(try reader.number(UInt32.self)) {
            let record = try Identifier(reading: &reader)
            set(try SharedItem(reading: &reader), as: record)
            try next(&reader)
        }
        for _ in 0..<(try reader.number(UInt32.self)) {
            let head = try DeviceHead(reading: &reader)
            set(head)
        }
        for _ in 0..<(try reader.number(UInt32.self)) {
            let card = try DeviceCard(reading: &reader)
            requests[card.id] = card
        }
        hasMoreRequests = try reader.number(UInt8.self) == 1
        for _ in 0..<(try reader.number(UInt32.self)) {
            let record = try Identifier(reading: &reader)
            versions[record] = try reader.number()
            try next(&reader)
        }
        server = ServerHead(
            sequence: try reader.number(), rosterCount: try reader.number())
        if try reader.number(UInt8.self) == 1 {
            lastRecord = try LastRecord(reading: &reader)
        }
    }
}
