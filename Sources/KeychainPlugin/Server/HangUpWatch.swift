internal import Glibc
internal import LinuxSystem

/// Watches in a thread of its own whether the other end of a socket is still there.
final class HangUpWatch {
    private let socket: Int32
    private let action: @Sendable () -> Void

    private init(_ socket: Int32, _ action: @escaping @Sendable () -> Void) {
        self.socket = socket
        self.action = action
    }

    /// Calls a closure when the other end has gone, in another thread.
    ///
    /// - Parameter socket: Stays open as long as the process.
    static func start(_ socket: Int32, _ action: @escaping @Sendable () -> Void) {
        // Safe: the reference that is retained here is the new thread's to release, or ours where
        // none was started.
        let watch = unsafe Unmanaged.passRetained(HangUpWatch(socket, action))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                unsafe Unmanaged<HangUpWatch>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, unsafe watch.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            // Then the end of the input has to do.
            unsafe watch.release()
        }
    }

    private func run() {
        if (try? SystemCalls.wait(for: socket, .hungUp, until: nil)) == true {
            action()
        }
    }
}
