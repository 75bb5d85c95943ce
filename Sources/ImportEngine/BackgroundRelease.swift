internal import LinuxSystem

/// Lets go of many things in a thread of its own: items, as their secrets are overwritten one by one.
///
/// Sendable, as the thread alone touches the contents before it is waited for.
final class BackgroundRelease<Contents>: @unchecked Sendable {
    private var contents: Contents?
    private var thread: WorkerThread?

    /// Begins.
    ///
    /// - Parameter contents: Nobody else has them, or they would be left to whoever has them last.
    init(_ contents: consuming Contents) {
        self.contents = contents
        thread = WorkerThread { self.contents = nil }
    }

    /// Waits until they are gone.
    func finish() {
        thread.take()?.join()
        contents = nil
    }

    /// Leaves the rest to the thread.
    func detach() {
        thread.take()?.detach()
    }
}
