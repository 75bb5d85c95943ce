internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A process that does a piece of work and ends. Nothing of the keychain, and no question to the user, is in
/// the agent's own process.
final class WorkerProcess {
    /// How a worker is started.
    struct Program: Sendable {
        let path: String
        /// What it is started as: a program may do different things under several names.
        let name: String
        let arguments: [String]
    }

    /// Limits its answer: the longest message and one byte.
    private static let answerLimit = FrameReader.limit + 1
    /// How many milliseconds it has to end after its answer, or after a request to end.
    private static let grace: Int64 = 1_000

    let work: AgentWork
    private let identifier: Int32
    private let output: Descriptor
    private var deadline: Deadline
    private var text = SecretBuilder()

    var descriptor: Int32 { output.number }

    /// The milliseconds until its time has passed.
    var remaining: Int64 { deadline.remaining }

    /// Starts a worker without our terminal.
    ///
    /// - Parameter timeLimit: In milliseconds.
    init(
        _ program: Program, _ work: AgentWork, timeLimit: Int64
    ) throws(SystemCallError) {
        let input = Descriptor(
            owning: try work.request.message.withBytes { bytes throws(SystemCallError) in
                try SystemCalls.makeMemoryFile(bytes)
            })
        let pipe = try Pipe()
        identifier = try SystemCalls.startProcess(
            program.path, as: program.name, program.arguments, input: input.number,
            output: pipe.writeEnd.number, showsErrors: true, mayAsk: work.request.mayAsk,
            isOwnSession: true)
        output = pipe.keepingReadEnd()
        SystemCalls.stopBlocking(output.number)
        deadline = Deadline(milliseconds: timeLimit)
        self.work = work
    }

    /// Reads what is there.
    ///
    /// - Returns: Whether the answer is whole, or none will come.
    func read() -> Bool {
        do throws(SystemCallError) {
            let chunk = try SystemCalls.readSecret(descriptor, 64 << 10)
            text.append(chunk)
            return chunk.count == 0 || text.count > WorkerProcess.answerLimit
        } catch {
            return !error.isTemporary
        }
    }

    /// Reaps the process and returns its answer; nil if it failed.
    func finish() -> WorkerAnswer? {
        let status = SystemCalls.exitStatus(
            of: identifier, until: Deadline(milliseconds: WorkerProcess.grace))
        if status == nil {
            SystemCalls.killSession(identifier)
        }
        var whole = SecretBuilder(capacity: 0)
        swap(&whole, &text)
        guard status == 0, whole.count <= WorkerProcess.answerLimit else {
            return nil
        }
        return try? WorkerAnswer(parsing: whole.finish())
    }

    /// Tells the process to end, and with it a question that the user has not answered.
    func beginToEnd() {
        // It closes a dialog on this signal.
        SystemCalls.sendSignal(SIGTERM, to: identifier)
        deadline = Deadline(milliseconds: WorkerProcess.grace)
    }

    /// Returns whether the process has ended after ``beginToEnd()``, and kills it when its time for that
    /// has passed.
    func hasEnded() -> Bool {
        if SystemCalls.hasEnded(identifier) {
            return true
        }
        guard deadline.hasPassed else {
            return false
        }
        SystemCalls.killSession(identifier)
        return true
    }
}

extension SystemCallError {
    /// Whether the descriptor only has nothing to read now.
    var isTemporary: Bool { code == EAGAIN }
}
