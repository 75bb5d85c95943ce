internal import Glibc
internal import LinuxSystem

/// Watches in its own thread whether the other end of a socket is still there.
package final class HangUpWatch {
    private let socket: Int32
    private let action: @Sendable () -> Void

    private init(_ socket: Int32, _ action: @escaping @Sendable () -> Void) {
        self.socket = socket
        self.action = action
    }

    /// Calls a closure in another thread when the other end has gone.
    ///
    /// - Parameter socket: Stays open as long as the process.
    package static func start(_ socket: Int32, _ action: @escaping @Sendable () -> Void) {
        // Safe: the new thread releases this reference, or this code does if no thread starts.
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
            // Without a thread, the end of the input is the only sign.
            unsafe watch.release()
        }
    }

    private func run() {
        if (try? SystemCalls.wait(for: socket, .hungUp, until: nil)) == true {
            action()
        }
    }
}
