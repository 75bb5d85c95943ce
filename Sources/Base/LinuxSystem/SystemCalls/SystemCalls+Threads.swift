package import Glibc

extension SystemCalls {
    /// Runs a closure in a new thread, which nothing joins. The corresponding C functions are `pthread_create` and
    /// `pthread_detach`.
    package static func startThread(
        _ body: sending @escaping () -> Void
    ) throws(SystemCallError) {
        pthread_detach(try startJoinableThread(body))
    }

    /// Runs a closure in a new thread, which the caller joins or detaches. The thread releases the closure before it
    /// ends. The corresponding C function is `pthread_create`.
    package static func startJoinableThread(
        _ body: sending @escaping () -> Void
    ) throws(SystemCallError) -> pthread_t {
        // Safe: the new thread releases this reference, or this code does if no thread starts.
        let box = unsafe Unmanaged.passRetained(ThreadBody(body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { box in
                unsafe Unmanaged<ThreadBody>.fromOpaque(box!).takeRetainedValue().body()
                return nil
            }, unsafe box.toOpaque())
        guard code == 0 else {
            unsafe box.release()
            throw SystemCallError(call: "pthread_create", code: code)
        }
        return thread
    }

    private final class ThreadBody {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }
}
