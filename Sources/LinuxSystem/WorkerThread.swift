internal import Glibc

/// A thread that does one thing and is waited for, or left to itself. The corresponding C type is `pthread_t`.
package struct WorkerThread: ~Copyable {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private let thread: pthread_t

    /// Starts a thread; nil where none can be had.
    package init?(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        // Safe: the reference that is retained here is the new thread's to release, or ours where none
        // was started.
        let work = unsafe Unmanaged.passRetained(Work(body))
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                unsafe Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, unsafe work.toOpaque())
        guard code == 0 else {
            unsafe work.release()
            return nil
        }
        self.thread = thread
    }

    /// Lets the thread end by itself, or with the process.
    package consuming func detach() {
        pthread_detach(thread)
    }

    /// Waits until the thread has ended.
    package consuming func join() {
        pthread_join(thread, nil)
    }
}
