internal import CSQLite

/// The memory that SQLite may take in this process.
package enum SQLiteMemory {
    /// Makes SQLite fail rather than take more, as a file that was made to bite can have it read a
    /// giant key of an index whole. For programs of our own: it is about all of the process. Called
    /// before SQLite is used, it takes no memory for pages ahead of those that are read, either.
    ///
    /// - Parameter bytes: 0 for no bound.
    ///
    /// The corresponding C function is `sqlite3_hard_heap_limit64`.
    package static func limit(to bytes: Int64) {
        lanyard_sqlite3_allocate_pages_one_by_one()
        sqlite3_hard_heap_limit64(bytes)
    }
}
