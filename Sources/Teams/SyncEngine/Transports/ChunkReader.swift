internal import LanyardCryptography
internal import LanyardSecrets

/// Reads a stored form from its beginning, a chunk at a time, and checks the digest at its end: the memory for it is the
/// same for any size. A ``ChunkWriter`` wrote it.
struct ChunkReader: ~Copyable {
    /// The size of a chunk in bytes; the last one may have fewer.
    static let chunkSize = 1 << 20

    private let read: (_ count: Int, _ offset: Int) throws(KeychainError) -> [UInt8]
    /// Where the digest begins.
    private let end: Int
    private var chunk: [UInt8] = []
    /// Where the chunk begins.
    private var start = 0
    /// The number of bytes that were read or skipped.
    private(set) var position = 0
    private let digest = RunningDigest()

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - size: The size of the stored form with its digest.
    ///   - read: Returns bytes from an offset: fewer than this number only at the end.
    /// - Throws: ``Status/decode`` if there is no room for a digest.
    init(
        _ size: Int,
        _ read: @escaping (_ count: Int, _ offset: Int) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) {
        end = size - KeyedDigest.size
        self.read = read
        guard end >= 0 else {
            throw KeychainError(.decode)
        }
    }

    /// The number of bytes that are left before the digest.
    var remaining: Int { end - position }

    /// Returns the next bytes.
    ///
    /// - Throws: ``Status/decode`` if there are fewer.
    mutating func take(_ count: Int) throws(KeychainError) -> [UInt8] {
        guard count <= remaining else {
            throw KeychainError(.decode)
        }
        var taken: [UInt8] = []
        while taken.count < count {
            if position == start + chunk.count {
                try readChunk()
            }
            let more = min(count - taken.count, start + chunk.count - position)
            taken += chunk[(position - start)..<(position - start + more)]
            position += more
        }
        return taken
    }

    /// Passes over bytes.
    ///
    /// - Throws: ``Status/decode`` if there are fewer.
    mutating func skip(_ count: Int) throws(KeychainError) {
        guard count <= remaining else {
            throw KeychainError(.decode)
        }
        position += count
        while position > start + chunk.count {
            try readChunk()
        }
    }

    /// Passes over the rest, and checks the digest.
    ///
    /// - Throws: ``Status/decode`` if it is another one.
    mutating func finish() throws(KeychainError) {
        try skip(remaining)
        guard try read(KeyedDigest.size, end).hasSameBytes(as: digest.finish())
        else {
            throw KeychainError(.decode)
        }
    }

    private mutating func readChunk() throws(KeychainError) {
        start += chunk.count
        let count = min(ChunkReader.chunkSize, end - start)
        chunk = try read(count, start)
        // It may have become shorter.
        guard chunk.count == count else {
            throw KeychainError(.decode)
        }
        digest.append(chunk.span)
    }
}
