#if SecretService
internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import StrictJSON

/// A question that another program asks: a terminal's agent, or this program in a process of its own, with pinentry
/// or askpass. No secret passes: the answer's effect is in the keychain and the kernel's keyring.
final class Asking {
    private let done: (Bool) -> Void
    private var socket: Descriptor?
    private var answer: [UInt8] = []
    private var source: UInt32 = 0
    private var process: Int32 = 0
    private var timer: UInt32 = 0
    private var isOver = false

    /// How long the user has to answer, in milliseconds.
    private static let timeLimit: UInt32 = 300_000
    private static let answerLimit = 4_096

    /// Begins to ask.
    ///
    /// - Parameters:
    ///   - program: The path of the client's executable; nil if it is unknown.
    ///   - done: Called once, later, with whether it was done.
    /// - Returns: nil if the user can't be asked.
    init?(
        _ ask: String, keychain: String, program: String?, done: @escaping (Bool) -> Void
    ) {
        self.done = done
        guard connect(ask, keychain, program) || start(ask, keychain, program) else {
            return nil
        }
        timer = MainLoop.after(milliseconds: Asking.timeLimit) { [self] in
            timer = 0
            finish(false)
        }
    }

    /// Withdraws the question; `done` is not called.
    func withdraw() {
        isOver = true
        end()
    }

    private func finish(_ isDone: Bool) {
        guard !isOver else {
            return
        }
        isOver = true
        end()
        done(isDone)
    }

    private func end() {
        if timer != 0 {
            MainLoop.cancel(timer)
            timer = 0
        }
        if source != 0 {
            MainLoop.cancel(source)
            source = 0
        }
        socket = nil
        if process != 0 {
            // Its own children, such as pinentry, are in its session.
            SystemCalls.sendSignal(15, to: -process)
            process = 0
        }
    }
}

// Terminal agents, `lanyard secret-service agent`.
extension Asking {
    /// The sockets of the agents, in no particular order.
    private static var agents: [String] {
        guard let runtime = try? Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else {
            return []
        }
        let folder = "\(runtime)/lanyard/secret-service"
        let names = (try? PinnedFolder(folder, .isPrivate).names()) ?? []
        return names.filter { $0.hasPrefix("agent-") && $0.hasSuffix(".socket") }
            .map { "\(folder)/\($0)" }
    }

    private func connect(_ ask: String, _ keychain: String, _ program: String?) -> Bool {
        guard let request = Asking.request(ask, keychain, program) else {
            return false
        }
        for path in Asking.agents {
            guard let socket = try? Descriptor(owning: SystemCalls.makeSocket()) else {
                continue
            }
            // Whoever does not take connections is not waited for.
            SystemCalls.stopBlocking(socket.number)
            guard (try? SystemCalls.connect(socket.number, to: path)) != nil,
                (try? SystemCalls.peer(of: socket.number).user) == SystemCalls.effectiveUser,
                (try? SystemCalls.writeAll(socket.number, request.span)) != nil
            else {
                continue
            }
            source = MainLoop.whenReadable(socket.number) { [self] in read() }
            self.socket = consume socket
            return true
        }
        return false
    }

    private static func request(
        _ ask: String, _ keychain: String, _ program: String?
    ) -> [UInt8]? {
        let written = try? JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("version", 1)
            try writer.member("ask", ByteString(ask))
            try writer.member("keychain", ByteString(keychain))
            if let program {
                try writer.member("program", ByteString(program))
            }
        }
        switch written {
        case .some(let text): return text.withBytes { ByteString(copying: $0).bytes }
        case .none: return nil
        }
    }

    /// Reads what is there of the agent's answer.
    ///
    /// - Returns: Whether more is to come.
    private func read() -> Bool {
        let chunk: Secret?
        switch socket {
        case .some(let socket):
            chunk = try? SystemCalls.readSecret(socket.number, Asking.answerLimit)
        case .none: return false
        }
        switch chunk {
        case .some(let chunk) where chunk.count > 0:
            chunk.withBytes { answer += ByteString(copying: $0).bytes }
        default: answer.append(UInt8(ascii: "\n"))
        }
        guard answer.contains(UInt8(ascii: "\n")) || answer.count > Asking.answerLimit else {
            return true
        }
        source = 0
        finish(Asking.isDone(answer))
        return false
    }

    private static func isDone(_ answer: [UInt8]) -> Bool {
        var result: ByteString?
        try? JSONReader.readObject(answer.span, limit: answerLimit + 1) {
            name, reader throws(KeychainError) in
            if name == "result" {
                result = try reader.readText()
            }
        }
        return result == "done"
    }
}

// A process of this program.
extension Asking {
    private func start(_ ask: String, _ keychain: String, _ program: String?) -> Bool {
        guard (try? ConfirmationPrompt.isUsable) == true,
            let process = try? SystemCalls.startProcess(
                // This file even if an update has replaced it.
                "/proc/self/exe", ["--ask", ask, keychain] + (program.map { [$0] } ?? []),
                input: nil, output: 2, showsErrors: true, mayAsk: true, isOwnSession: true)
        else {
            return false
        }
        self.process = process
        MainLoop.whenEnded(process) { [self] status in
            self.process = 0
            finish(status == 0)
        }
        return true
    }
}
#endif
