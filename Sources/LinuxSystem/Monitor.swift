internal import Glibc

/// A lock that threads share, under which one can wait for what another one does. The corresponding C
/// types are `pthread_mutex_t` and `pthread_cond_t`.
@safe  // Safe: both are its own, initialized in `init` and destroyed in `deinit` alone.
package final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>

    /// A lock that nobody has.
    package init() {
        // Safe: initialized before they are used, and freed in `deinit`.
        unsafe mutex = .allocate(capacity: 1)
        unsafe change = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(change, nil)
    }

    deinit {
        // Safe: nobody else has them, and nothing comes after.
        unsafe pthread_cond_destroy(change)
        unsafe pthread_mutex_destroy(mutex)
        unsafe change.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs a closure under the lock, once a condition holds, which is looked at again after whatever
    /// others did under the lock.
    package func locked<Result>(
        when condition: () -> Bool = { true }, _ body: () -> Result
    ) -> Result {
        // Safe: both live as long as this object.
        unsafe pthread_mutex_lock(mutex)
        while !condition() {
            unsafe pthread_cond_wait(change, mutex)
        }
        let result = body()
        unsafe pthread_cond_broadcast(change)
        unsafe pthread_mutex_unlock(mutex)
        return result
    }
}
