internal import Glibc

/// A lock that the thread which has it can take again. The corresponding C type is `pthread_mutex_t`, of the
/// kind `PTHREAD_MUTEX_RECURSIVE`.
@safe  // Safe: the mutex is its own, initialized in `init` and destroyed in `deinit` alone.
package final class RecursiveLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// A lock that nobody has.
    package init() {
        // Safe: initialized before it is used, and freed in `deinit`.
        unsafe mutex = .allocate(capacity: 1)
        var kind = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&kind)
        unsafe pthread_mutexattr_settype(&kind, Int32(PTHREAD_MUTEX_RECURSIVE))
        unsafe pthread_mutex_init(mutex, &kind)
        unsafe pthread_mutexattr_destroy(&kind)
    }

    deinit {
        // Safe: nobody else has it, and nothing comes after.
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Waits until no other thread has the lock, and takes it.
    package func acquire() {
        // Safe: it lives as long as this object.
        unsafe pthread_mutex_lock(mutex)
    }

    /// Gives back what ``acquire()`` took, in the same thread.
    package func release() {
        // Safe: as above.
        unsafe pthread_mutex_unlock(mutex)
    }

    /// A number that no other thread has meanwhile.
    package static var thread: UInt { UInt(pthread_self()) }
}
