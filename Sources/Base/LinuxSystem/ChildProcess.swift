/// A program that was started, and our ends of its standard streams. It does not outlive this value.
package final class ChildProcess {
    /// What its standard input and output are.
    package enum Streams: Sendable {
        /// One socket for both.
        case socket
        /// A pipe for each.
        case pipes
        /// A pipe for its output; its input is something else.
        case outputPipe
    }

    /// Its id; nil if it is not our own child.
    package let identifier: Int32?
    /// The text to it and from it.
    package let channel: LineChannel
    private let signals: EndingSignals?
    private var input: Descriptor?
    private var output: Descriptor?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - signals: Signals that end waiting for it, and those of children; nil for none.
    ///   - start: Starts it with the other ends of its standard input and output, and returns its id.
    package init(
        _ streams: Streams, signals: EndingSignals? = nil,
        start: (_ input: Int32?, _ output: Int32) throws(SystemCallError) -> Int32
    ) throws(SystemCallError) {
        let identifier: Int32
        let ours: (input: Int32, output: Int32)
        switch streams {
        case .socket:
            let sockets = try SocketPair()
            identifier = try start(sockets.theirs.number, sockets.theirs.number)
            ours = (sockets.ours.number, sockets.ours.number)
            output = sockets.keepingOurs()
        case .pipes:
            let from = try Pipe()
            let to = try Pipe()
            identifier = try start(to.readEnd.number, from.writeEnd.number)
            ours = (from.readEnd.number, to.writeEnd.number)
            output = from.keepingReadEnd()
            input = to.keepingWriteEnd()
        case .outputPipe:
            let pipe = try Pipe()
            identifier = try start(nil, pipe.writeEnd.number)
            ours = (pipe.readEnd.number, -1)
            output = pipe.keepingReadEnd()
        }
        channel = LineChannel(input: ours.input, output: ours.output, signals: signals) {
            SystemCalls.hasEndedUnnoticed(identifier)
        }
        self.identifier = identifier
        self.signals = signals
    }

    /// Starts a plugin, which gets only a socket, as its standard input and output.
    ///
    /// - Parameter name: What it is started as: a program may do different things under several names.
    package convenience init(
        plugin executable: String, as name: String
    ) throws(SystemCallError) {
        try self.init(.socket) { input, output throws(SystemCallError) in
            try SystemCalls.startProcess(executable, as: name, [], input: input, output: output)
        }
    }

    /// Creates a process that serves the other end of a socket.
    package init(connected socket: consuming Descriptor) {
        channel = LineChannel(input: socket.number, output: socket.number)
        identifier = nil
        signals = nil
        output = consume socket
    }

    /// Closes its streams, which makes most programs end; otherwise it is killed.
    deinit {
        input = nil
        output = nil
        if let identifier {
            SystemCalls.endProcess(identifier)
        }
    }

    /// Waits until it has ended, and reaps it.
    ///
    /// - Returns: As ``SystemCalls/exitStatus(of:until:while:)``.
    package func exitStatus(until deadline: Deadline) throws(LineChannel.Failure) -> Int32 {
        var event = EndingSignals.Event.deadline
        let status = SystemCalls.exitStatus(of: identifier ?? 0, until: deadline) {
            let now = Deadline(milliseconds: 0)
            event = signals.flatMap { try? $0.wait(for: -1, until: now) } ?? .deadline
            return event != .signal
        }
        guard let status else {
            throw event == .signal ? .signal : .deadline
        }
        return status
    }
}
