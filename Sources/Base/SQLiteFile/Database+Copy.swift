internal import CSQLite
package import LanyardSecrets

extension Database {
    /// The number of bytes to read at a time.
    private static let pieceSize = 1 << 18

    /// Passes the bytes of the file to a closure, piece by piece. Inside a transaction no other
    /// process can change them meanwhile.
    package func forEachPiece(
        _ body: (Span<UInt8>) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        // Bytes after the last page don't belong to the database.
        let size = try number("PRAGMA page_size") * number("PRAGMA page_count")
        var piece = [UInt8](repeating: 0, count: Database.pieceSize)
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(size - offset, Int64(piece.count)))
            // Safe: the connection is alive, and the piece has room for `count` bytes.
            let result = unsafe lanyard_sqlite3_read(connection, &piece, Int32(count), offset)
            guard result == SQLITE_OK else {
                throw error(result)
            }
            try body(piece.span.extracting(first: count))
            offset += Int64(count)
        }
    }
}
