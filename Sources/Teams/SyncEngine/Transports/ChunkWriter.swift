internal import LanyardCryptography
internal import LinuxSystem
internal import LanyardSecrets

/// Writes a stored form a chunk at a time, and then its digest.
struct ChunkWriter: ~Copyable {
    private let file: TemporaryFile
    private var chunk: [UInt8] = []
    private let digest = RunningDigest()
    /// The number of bytes of the file, with the digest.
    private(set) var size = KeyedDigest.size

    /// Begins a file that replaces the one at a path once it is complete.
    init(_ path: String) throws(KeychainError) {
        file = try TemporaryFile(beside: path)
        chunk.reserveCapacity(ChunkReader.chunkSize)
    }

    /// Appends bytes.
    mutating func append(_ bytes: [UInt8]) throws(KeychainError) {
        var position = 0
        while position < bytes.count {
            let count = min(bytes.count - position, ChunkReader.chunkSize - chunk.count)
            chunk += bytes[position..<(position + count)]
            position += count
            if chunk.count == ChunkReader.chunkSize {
                try writeChunk()
            }
        }
        size += bytes.count
    }

    /// Appends the digest, and replaces the file.
    consuming func finish() throws(KeychainError) {
        if !chunk.isEmpty {
            try writeChunk()
        }
        try file.append(digest.finish().span)
        try file.replace()
    }

    private mutating func writeChunk() throws(KeychainError) {
        digest.append(chunk.span)
        try file.append(chunk.span)
        chunk.removeAll(keepingCapacity: true)
    }
}
