internal import Glibc

/// The mutex of Synchronization, which Embedded Swift has without it.
@safe  // Safe: only the holder of the lock has the value.
struct Mutex<Value: ~Copyable>: @unchecked Sendable {
    private final class Box {
        var lock = pthread_mutex_t()
        var value: Value

        init(_ value: consuming Value) {
            self.value = value
        }
    }

    private let box: Box

    init(_ value: consuming Value) {
        box = Box(value)
    }

    /// Runs a closure while no other thread has the value.
    ///
    /// - Throws: What the closure throws.
    func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        // Safe: the box stays where it is, and its lock with it.
        unsafe pthread_mutex_lock(&box.lock)
        defer { unsafe pthread_mutex_unlock(&box.lock) }
        return try body(&box.value)
    }
}
