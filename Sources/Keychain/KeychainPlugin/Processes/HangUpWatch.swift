internal import LinuxSystem

/// Watches in its own thread whether the other end of a socket is still there.
package enum HangUpWatch {
    /// Calls a closure in another thread when the other end has gone.
    ///
    /// - Parameter socket: Stays open as long as the process.
    package static func start(_ socket: Int32, _ action: @escaping @Sendable () -> Void) {
        // Without a thread, the end of the input is the only sign.
        try? SystemCalls.startThread {
            if (try? SystemCalls.wait(for: socket, .hungUp, until: nil)) == true {
                action()
            }
        }
    }
}
