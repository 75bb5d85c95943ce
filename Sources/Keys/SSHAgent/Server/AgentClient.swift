internal import KeychainServices
internal import LinuxSystem

/// A connection of a client: it sends a message, waits for the answer, and sends the next one.
final class AgentClient {
    /// Time limits in milliseconds: of a message from its first byte to its last, and of an answer.
    struct TimeLimits {
        var message: Int64 = 10_000
        var answer: Int64 = 10_000
    }

    private enum State {
        case reading
        /// The answer is not known yet.
        case waiting
        /// The answer is known, but comes later.
        case delayed(AgentAnswer, Deadline)
        case writing(position: Int)
    }

    private let handle: Descriptor
    private let limits: TimeLimits
    private var frames = FrameReader()
    private var state = State.reading
    private var output = Secret("")
    private var deadline: Deadline?
    var connection: AgentConnection
    /// Greater than that of each client that connected or was served before.
    var turn: UInt64

    /// Whether it has neither sent a part of a message nor waits for an answer.
    var isIdle: Bool {
        if case .reading = state { !frames.isInsideMessage } else { false }
    }

    var descriptor: Int32 { handle.number }

    init(
        _ handle: consuming Descriptor, program: String?, turn: UInt64 = 0,
        limits: TimeLimits = TimeLimits()
    ) {
        self.handle = handle
        self.turn = turn
        self.limits = limits
        connection = AgentConnection(program: program)
    }

    /// Adds the connection to those that are waited for.
    func join(_ set: inout PollSet) {
        switch state {
        case .reading: set.add(descriptor, reading: true)
        case .waiting, .delayed: set.add(descriptor)
        case .writing: set.add(descriptor, writing: true)
        }
    }

    /// The milliseconds after which ``passTime()`` has something to do; nil if never.
    var remaining: Int64? {
        if case .delayed(_, let moment) = state {
            return moment.remaining
        }
        return deadline?.remaining
    }

    /// Takes what is ready: reads a message, or writes the answer.
    ///
    /// - Parameter body: Gets a whole message. The client waits for its answer from then on.
    /// - Throws: ``Status/io`` if the connection has ended, ``Status/param`` if its bytes are malformed.
    func proceed(_ body: (consuming Secret) -> Void) throws(KeychainError) {
        switch state {
        case .reading:
            guard let message = try read() else {
                return
            }
            state = .waiting
            deadline = nil
            body(message)
        // Only an end is seen here.
        case .waiting, .delayed: throw KeychainError(.io)
        case .writing: try write()
        }
    }

    /// Does what is due, after ``remaining``.
    ///
    /// - Throws: ``Status/io`` if the client was too slow.
    func passTime() throws(KeychainError) {
        if case .delayed(let answer, let moment) = state, moment.hasPassed {
            try send(answer)
        } else if let deadline, deadline.hasPassed {
            throw KeychainError(.io)
        }
    }

    /// Sends the answer to the last message.
    ///
    /// - Throws: ``Status/io`` if the connection has ended.
    func send(_ answer: AgentAnswer) throws(KeychainError) {
        output = FrameReader.frame(answer.message)
        state = .writing(position: 0)
        deadline = Deadline(milliseconds: limits.answer)
        try write()
    }

    /// Sends an answer after some milliseconds.
    func send(_ answer: AgentAnswer, after milliseconds: Int64) {
        state = .delayed(answer, Deadline(milliseconds: milliseconds))
    }

    private func read() throws(KeychainError) -> Secret? {
        let bytes: Secret
        do throws(SystemCallError) {
            bytes = try SystemCalls.readSecret(descriptor, frames.wanted).locked()
        } catch {
            guard error.isTemporary else {
                throw KeychainError(.io)
            }
            return nil
        }
        guard bytes.count > 0 else {
            throw KeychainError(.io)
        }
        let message = try bytes.withBytes { bytes throws(KeychainError) in try frames.add(bytes) }
        if deadline == nil, frames.isInsideMessage {
            deadline = Deadline(milliseconds: limits.message)
        }
        return message
    }

    private func write() throws(KeychainError) {
        guard case .writing(var position) = state else {
            return
        }
        do throws(SystemCallError) {
            position += try output.withBytes { bytes throws(SystemCallError) in
                try SystemCalls.writeSome(
                    descriptor, bytes.extracting(droppingFirst: position))
            }
        } catch {
            throw KeychainError(.io)
        }
        if position == output.count {
            state = .reading
            output = Secret("")
            deadline = nil
        } else {
            state = .writing(position: position)
        }
    }
}
