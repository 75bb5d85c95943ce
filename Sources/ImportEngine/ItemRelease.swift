internal import LinuxSystem

/// Lets go of many items in a thread of its own, as their secrets are overwritten one by one.
///
/// Sendable, as the thread alone touches the items before it is waited for.
final class ItemRelease: @unchecked Sendable {
    private var items: [ImportedItem]
    private var thread: WorkerThread?

    init(_ items: [ImportedItem]) {
        self.items = items
        thread = WorkerThread { self.items = [] }
    }

    /// Waits until they are gone.
    func finish() {
        thread.take()?.join()
        items = []
    }
}
