internal import CSQLite
internal import Synchronization

/// The memory that SQLite may use in this process.
package enum SQLiteMemory {
    /// Limits SQLite's memory: a hostile file can make it read a giant index key at once, and it
    /// then fails instead.
    ///
    /// The limit affects the whole process, and is meant for programs of our own. Called before
    /// SQLite is used, it also turns off the preallocation of memory for pages.
    ///
    /// - Parameter bytes: 0 for no limit.
    ///
    /// The corresponding C function is `sqlite3_hard_heap_limit64`.
    package static func limit(to bytes: Int64) {
        lanyard_sqlite3_allocate_pages_one_by_one()
        sqlite3_hard_heap_limit64(bytes == 0 ? 0 : max(bytes, least.load(ordering: .relaxed)))
    }

    /// Lets SQLite do without locks, and without memory that it allocates in advance for each connection. For a
    /// program whose life is a few milliseconds, and that uses SQLite in one thread; called before SQLite is used.
    package static func serveOneThread() {
        lanyard_sqlite3_serve_one_thread()
    }

    /// Makes this limit, and each later one, at least so large.
    ///
    /// - Parameter bytes: The least limit.
    package static func allow(_ bytes: Int64) {
        least.store(bytes, ordering: .relaxed)
        limit(to: bytes)
    }

    private static let least = Atomic<Int64>(0)
}
