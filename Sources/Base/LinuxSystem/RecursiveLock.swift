internal import Glibc

/// A lock that its owning thread can take again. The corresponding C type is `pthread_mutex_t`, of
/// the kind `PTHREAD_MUTEX_RECURSIVE`.
@safe  // Safe: the mutex is its own, initialized in `init` and destroyed in `deinit` alone.
package final class RecursiveLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates a free lock.
    package init() {
        // Safe: initialized before its first use, and freed in `deinit`.
        unsafe mutex = .allocate(capacity: 1)
        var kind = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&kind)
        unsafe pthread_mutexattr_settype(&kind, Int32(PTHREAD_MUTEX_RECURSIVE))
        unsafe pthread_mutex_init(mutex, &kind)
        unsafe pthread_mutexattr_destroy(&kind)
    }

    deinit {
        // Safe: only this object has it, and this is its last use.
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Waits until no other thread has the lock, and takes it.
    package func acquire() {
        // Safe: it lives as long as this object.
        unsafe pthread_mutex_lock(mutex)
    }

    /// Releases the lock in the thread that called ``acquire()``.
    package func release() {
        // Safe: as above.
        unsafe pthread_mutex_unlock(mutex)
    }

    /// A number that identifies the thread as long as it runs.
    package static var thread: UInt { UInt(pthread_self()) }
}
