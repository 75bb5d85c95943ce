internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A plugin that runs, and the socket to it. Neither outlives this value.
final class PluginProcess {
    let channel: LineChannel
    private var socket: Descriptor?
    private let child: Child?

    /// The process, taken off the system's list as soon as it is seen to have ended.
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

    /// Starts a plugin, which gets the socket as its standard input and output and nothing else.
    init(_ executable: String) throws(SystemCallError) {
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

    /// What serves the other end of a socket.
    init(connected socket: consuming Descriptor) {
        channel = LineChannel(input: socket.number, output: socket.number)
        child = nil
        self.socket = consume socket
    }

    /// Closes the socket, at which the plugin has to end; else it is ended.
    deinit {
        socket = nil
        if let child, !child.hasEnded {
            SystemCalls.endProcess(child.identifier)
        }
    }
}
