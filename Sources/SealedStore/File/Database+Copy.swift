internal import CSQLite
internal import KeychainServices

extension Database {
    /// How many bytes of the file are read at a time.
    private static let pieceSize = 1 << 18

    /// Hands the bytes of the file to a closure, piece by piece. Inside a transaction nobody can
    /// change them meanwhile.
    func forEachPiece(
        _ body: (Span<UInt8>) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        // What is behind the last page is nobody's.
        let size = try number("PRAGMA page_size") * number("PRAGMA page_count")
        var piece = [UInt8](repeating: 0, count: Database.pieceSize)
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(size - offset, Int64(piece.count)))
            // Safe: the connection is alive, and the piece has room for that much.
            let result = unsafe lanyard_sqlite3_read(connection, &piece, Int32(count), offset)
            guard result == SQLITE_OK else {
                throw error(result)
            }
            try body(piece.span.extracting(first: count))
            offset += Int64(count)
        }
    }
}
