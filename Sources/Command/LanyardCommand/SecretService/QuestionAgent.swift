internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// Listens for the questions of `lanyard-secret-service`, and starts a process that asks each one at our terminal.
///
/// The service connects for each question, and closes the connection to withdraw it.
final class QuestionAgent {
    /// A question that waits for the user.
    private final class Connection {
        private let handle: Descriptor

        var descriptor: Int32 { handle.number }

        init(_ handle: consuming Descriptor) {
            self.handle = handle
        }
    }

    /// The process that asks.
    private final class Asking {
        let connection: Connection
        let process: Int32
        let output: Descriptor
        /// How long it may run.
        var deadline = Deadline(milliseconds: QuestionAgent.questionLimit)
        /// Whether it was told to end.
        var isEnding = false

        init(_ connection: Connection) throws(SystemCallError) {
            let sockets = try SocketPair()
            // This file even if an update has replaced it.
            process = try SystemCalls.startProcess(
                "/proc/self/exe", AnswerQuestionCommand.words, input: connection.descriptor,
                output: sockets.theirs.number, showsErrors: true, mayAsk: true)
            self.connection = connection
            output = sockets.keepingOurs()
            SystemCalls.stopBlocking(output.number)
        }

        /// Passes the answer on. The service may have hung up.
        func passOn() {
            guard let answer = try? SystemCalls.readSecret(output.number, answerLimit) else {
                return
            }
            answer.withBytes { _ = try? SystemCalls.writeSome(connection.descriptor, $0) }
        }
    }

    /// Limits, in milliseconds and numbers. The service gives up first.
    private static let questionLimit: Int64 = 310_000
    private static let endLimit: Int64 = 1_000
    private static let look: Int64 = 50
    private static let waitingLimit = 16
    private static let answerLimit = 4_096

    private let terminal: Descriptor
    private let socket: Descriptor
    private let path: String
    private let stop: StopSignals
    private var waiting: [Connection] = []
    private var asking: Asking?

    /// Makes the socket, and removes those of agents that were killed.
    ///
    /// - Parameter folder: The folder in which the service looks for agents.
    init(in folder: String) throws(KeychainError) {
        try PrivatePlace.makeFolder(folder)
        QuestionAgent.removeLeftSockets(in: folder)
        path = "\(folder)/agent-\(getpid()).socket"
        // A stopped agent could not answer.
        signal(SIGTSTP, SIG_IGN)
        stop = try StopSignals()
        do throws(SystemCallError) {
            terminal = Descriptor(owning: try SystemCalls.open("/dev/tty", O_RDWR | O_NOCTTY))
            // It gets its name once it listens: until then it would look like one that was left.
            let temporary = "\(folder)/new-\(getpid()).socket"
            try? SystemCalls.unlink(temporary)
            socket = Descriptor(owning: try SystemCalls.makeSocket())
            try SystemCalls.bind(socket.number, to: temporary)
            try SystemCalls.listen(socket.number)
            try SystemCalls.rename(temporary, path)
            SystemCalls.stopBlocking(socket.number)
        } catch {
            throw error.code == ENAMETOOLONG
                ? KeychainError(
                    .param, "the socket's path '\(path)' is longer than 107 bytes")
                : error.keychainError("can't listen at '\(path)'")
        }
    }

    deinit {
        try? SystemCalls.unlink(path)
    }

    private static func removeLeftSockets(in folder: String) {
        for name in (try? PrivatePlace.files(in: folder)) ?? []
        where name.hasPrefix("agent-") && name.hasSuffix(".socket") {
            guard let socket = try? Descriptor(owning: SystemCalls.makeSocket()) else {
                return
            }
            SystemCalls.stopBlocking(socket.number)
            do throws(SystemCallError) {
                try SystemCalls.connect(socket.number, to: "\(folder)/\(name)")
            } catch {
                if error.code == ECONNREFUSED {
                    try? SystemCalls.unlink("\(folder)/\(name)")
                }
            }
        }
    }

    /// Takes questions until a signal arrives. ^C while one is asked dismisses that alone.
    ///
    /// - Throws: ``Status/io`` if it can't wait for questions.
    func run() throws(KeychainError) {
        defer { endAsking() }
        while true {
            var set = PollSet()
            set.add(stop.descriptor, reading: true)
            set.add(socket.number, reading: true)
            // Its end reaches only the leader of the session as a signal.
            set.add(terminal.number)
            for connection in waiting {
                set.add(connection.descriptor)
            }
            if let asking, !asking.isEnding {
                set.add(asking.connection.descriptor)
            }
            try set.wait(milliseconds: asking == nil ? nil : QuestionAgent.look)
            guard !set.isReady(terminal.number) else {
                return
            }
            let hasEnded = asking.map { SystemCalls.hasEnded($0.process) } ?? false
            while let number = stop.next() {
                // While a question is asked, ^C is an answer.
                guard number == SIGINT, asking != nil else {
                    return
                }
            }
            if hasEnded {
                // From now on the program that asked goes on, and ^C is for the agent.
                asking?.passOn()
                asking = nil
            }
            endWithdrawn(set)
            waiting.removeAll { set.isReady($0.descriptor) }
            acceptQuestions()
            askNext()
        }
    }

    /// Ends a question that was withdrawn, or waits for too long.
    private func endWithdrawn(_ set: PollSet) {
        guard let asking else {
            return
        }
        if asking.isEnding, asking.deadline.hasPassed {
            SystemCalls.sendSignal(SIGKILL, to: asking.process)
        } else if !asking.isEnding,
            set.isReady(asking.connection.descriptor) || asking.deadline.hasPassed
        {
            // It puts the terminal right on this signal.
            SystemCalls.sendSignal(SIGTERM, to: asking.process)
            asking.isEnding = true
            asking.deadline = Deadline(milliseconds: QuestionAgent.endLimit)
        }
    }

    private func acceptQuestions() {
        while let accepted = try? SystemCalls.accept(socket.number) {
            let handle = Descriptor(owning: accepted)
            guard waiting.count < QuestionAgent.waitingLimit,
                (try? SystemCalls.peer(of: accepted).user) == SystemCalls.effectiveUser
            else {
                continue
            }
            waiting.append(Connection(handle))
        }
    }

    private func askNext() {
        while asking == nil, !waiting.isEmpty {
            asking = try? Asking(waiting.removeFirst())
        }
    }

    private func endAsking() {
        if let asking {
            SystemCalls.endProcess(asking.process)
        }
    }
}
