internal import Glibc
package import LinuxSystem

/// A running plugin and the socket to it. Both end with this value.
package final class PluginProcess {
    /// The lines to it and from it.
    package let channel: LineChannel
    private var socket: Descriptor?
    private let child: Child?

    /// The process, reaped as soon as it is known to have ended.
    private final class Child {
        let identifier: pid_t
        private var isGone = false

        init(_ identifier: pid_t) {
            self.identifier = identifier
        }

        var hasEnded: Bool {
            isGone = isGone || SystemCalls.hasEnded(identifier)
            return isGone
        }
    }

    /// Starts a plugin, which gets only the socket, as its standard input and output.
    package init(_ executable: String) throws(SystemCallError) {
        let sockets = try SocketPair()
        let identifier = try SystemCalls.startProcess(
            executable, [], input: sockets.theirs.number, output: sockets.theirs.number,
            showsErrors: false)
        let child = Child(identifier)
        let socket = sockets.keepingOurs()
        channel = LineChannel(input: socket.number, output: socket.number) { child.hasEnded }
        self.child = child
        self.socket = consume socket
    }

    /// Creates a process that serves the other end of a socket.
    package init(connected socket: consuming Descriptor) {
        channel = LineChannel(input: socket.number, output: socket.number)
        child = nil
        self.socket = consume socket
    }

    /// Closes the socket, which must make the plugin end; otherwise it is killed.
    deinit {
        socket = nil
        if let child, !child.hasEnded {
            SystemCalls.endProcess(child.identifier)
        }
    }
}
