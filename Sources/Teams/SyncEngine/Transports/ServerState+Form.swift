internal import LanyardSecrets

// The stored form: a line of text, numbers and counted bytes, and a digest of it all. A copy that is not complete is
// noticed.
extension ServerState {
    private static let start: StaticString = "lanyard team 1\n"
    /// The bytes of the line before the number of the form.
    private static let nameSize = 13
    /// The bytes of the beginning, up to the head.
    static let headSize = start.utf8CodeUnitCount + 16
    /// The most entries and records, each: where they are is in memory.
    static let countLimit: UInt64 = 1_000_000

    /// The bytes of a record before its content: id, version, sequence, size.
    private static let recordPrefixSize = Identifier.size + 8 + 8 + 4

    /// Writes the stored form.
    ///
    /// - Parameter read: Returns bytes of the file that has the contents which are not new, from an offset.
    /// - Throws: ``Status/dataTooLarge`` if there are too many records; what the function and the writer throw.
    func write(
        to writer: inout ChunkWriter,
        _ read: (_ count: Int, _ offset: Int) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) {
        guard max(roster.count, records.count) <= ServerState.countLimit else {
            throw KeychainError(.dataTooLarge)
        }
        var start = ByteWriter()
        start.raw(ServerState.start)
        start.number(sequence)
        start.number(UInt64(roster.count))
        start.number(UInt64(records.count))
        try writer.append(start.bytes)
        var copy = 0..<0
        for content in roster {
            try append(content, prefix: [], &copy, to: &writer, read)
        }
        for stored in records {
            var prefix = ByteWriter()
            stored.id.append(to: &prefix)
            prefix.number(stored.version)
            prefix.number(stored.sequence)
            try append(
                stored.content, prefix: prefix.bytes, isNew: stored.isRenumbered, &copy,
                to: &writer,
                read)
        }
        try ServerState.write(copy, to: &writer, read)
    }

    /// Appends a content after its prefix and its size. What follows each other in the file is copied at once.
    ///
    /// - Parameters:
    ///   - isNew: Whether the file has another prefix.
    ///   - copy: What comes next, and was not copied yet.
    private func append(
        _ content: Content, prefix: [UInt8], isNew: Bool = false, _ copy: inout Range<Int>,
        to writer: inout ChunkWriter,
        _ read: (_ count: Int, _ offset: Int) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) {
        switch content {
        case .stored(let offset, let size) where isNew:
            try ServerState.write(copy, to: &writer, read)
            var part = ByteWriter()
            part.raw(prefix)
            part.number(UInt32(size))
            try writer.append(part.bytes)
            copy = offset..<(offset + size)
        case .stored(let offset, let size):
            let place = (offset - 4 - prefix.count)..<(offset + size)
            if copy.upperBound != place.lowerBound {
                try ServerState.write(copy, to: &writer, read)
                copy = place.lowerBound..<place.lowerBound
            }
            copy = copy.lowerBound..<place.upperBound
        case .new(let bytes):
            try ServerState.write(copy, to: &writer, read)
            copy = 0..<0
            var part = ByteWriter()
            part.raw(prefix)
            part.counted(bytes)
            try writer.append(part.bytes)
        }
    }

    private static func write(
        _ range: Range<Int>, to writer: inout ChunkWriter,
        _ read: (_ count: Int, _ offset: Int) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let count = min(range.upperBound - position, ChunkReader.chunkSize)
            let bytes = try read(count, position)
            guard bytes.count == count else {
                throw KeychainError(.decode)
            }
            try writer.append(bytes)
            position += count
        }
    }

    /// Reads where everything is in a stored form.
    ///
    /// - Throws: ``Status/decode`` for anything else, ``Status/wrongVersion`` if it claims to be of another form,
    ///   ``Status/dataTooLarge`` if it has too many records.
    init(_ reader: inout ChunkReader) throws(KeychainError) {
        var start = ByteReader(try reader.take(ServerState.headSize))
        let head: ServerHead
        do throws(KeychainError) {
            head = try ServerState.head(reading: &start)
        } catch {
            // Another form counts only if it is complete.
            try reader.finish()
            throw error
        }
        var number = ByteReader(try reader.take(8))
        let count: UInt64 = try number.number()
        guard head.rosterCount <= reader.remaining / 4,
            count <= reader.remaining / ServerState.recordPrefixSize
        else {
            throw KeychainError(.decode)
        }
        guard max(head.rosterCount, count) <= ServerState.countLimit else {
            throw KeychainError(.dataTooLarge)
        }
        sequence = head.sequence
        records.reserveCapacity(Int(count))
        for _ in 0..<head.rosterCount {
            var size = ByteReader(try reader.take(4))
            roster.append(try ServerState.content(&size, &reader))
        }
        for _ in 0..<count {
            var prefix = ByteReader(try reader.take(ServerState.recordPrefixSize))
            let stored = Stored(
                id: try Identifier(reading: &prefix), version: try prefix.number(),
                sequence: try prefix.number(), content: try ServerState.content(&prefix, &reader))
            guard stored.sequence <= sequence, records.last.map({ $0.id < stored.id }) ?? true
            else {
                throw KeychainError(.decode)
            }
            records.append(stored)
        }
        guard reader.remaining == 0 else {
            throw KeychainError(.decode)
        }
        try reader.finish()
    }

    /// Passes over a content.
    private static func content(
        _ size: inout ByteReader, _ reader: inout ChunkReader
    ) throws(KeychainError) -> Content {
        let size = Int(try size.number(UInt32.self))
        let offset = reader.position
        try reader.skip(size)
        return .stored(offset: offset, size: size)
    }

    private static func checkForm(_ bytes: [UInt8]) throws(KeychainError) {
        guard !bytes.starts(with: start.bytes), bytes.starts(with: start.bytes.prefix(nameSize))
        else {
            return
        }
        throw KeychainError(.wrongVersion)
    }

    /// Reads the head at the beginning of a stored form.
    static func head(reading reader: inout ByteReader) throws(KeychainError) -> ServerHead {
        let line = try reader.raw(start.utf8CodeUnitCount)
        try checkForm(line)
        guard line == start.bytes else {
            throw KeychainError(.decode)
        }
        return ServerHead(sequence: try reader.number(), rosterCount: try reader.number())
    }
}
