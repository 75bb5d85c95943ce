internal import LinuxSystem

/// Writes what a transaction has changed so far to the disk in a thread of its own, while more is done in
/// it, so that less is left to wait for at its end. Nothing depends on it, or on how far it gets.
struct EarlyWriting: ~Copyable {
    private let thread: WorkerThread

    /// Begins; nil where nothing can be written early.
    ///
    /// - Parameter database: Its changes stand in the file: see ``Database/writeChanges()``.
    init?(of database: Database) {
        // SQLite's own, which stays open as long as the transaction does.
        guard let descriptor = SystemCalls.descriptorForChange(of: database.path),
            let thread = WorkerThread({ try? SystemCalls.beginWriting(descriptor) })
        else {
            return nil
        }
        self.thread = thread
    }

    /// Waits until the writing has begun.
    consuming func finish() {
        thread.join()
    }
}
