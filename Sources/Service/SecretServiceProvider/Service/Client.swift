#if SecretService
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// A client on the bus, and what belongs to it alone.
final class Client {
    /// Its unique name.
    let name: String
    private(set) var sessions: [UInt64: Session] = [:]
    private(set) var prompts: [UInt64: Prompt] = [:]
    private var known: RequestingProgram?
    /// Counts the uses of sessions.
    private var useCount: UInt64 = 0

    /// The most sessions, and the most prompts.
    private static let limits = (sessions: 4_096, prompts: 64)

    init(_ name: String) {
        self.name = name
    }

    /// Adds a session. When there are too many, the one that was unused longest ends: some programs open one for
    /// each item and close none.
    func add(_ session: Session) {
        if sessions.count >= Client.limits.sessions,
            let oldest = sessions.values.min(by: { $0.lastUse < $1.lastUse })
        {
            sessions[oldest.number] = nil
        }
        sessions[session.number] = session
        noteUse(of: session)
    }

    /// Returns a session that is used now; nil if it is not open.
    func useSession(_ number: UInt64) -> Session? {
        let session = sessions[number]
        session.map(noteUse)
        return session
    }

    private func noteUse(of session: Session) {
        useCount += 1
        session.lastUse = useCount
    }

    func closeSession(_ number: UInt64) -> Bool { sessions.removeValue(forKey: number) != nil }

    /// - Throws: ``BusError/limitsExceeded(_:)``.
    func add(_ prompt: Prompt) throws(BusError) {
        guard prompts.count < Client.limits.prompts else {
            throw .limitsExceeded("too many prompts are open")
        }
        prompts[prompt.number] = prompt
    }

    func removePrompt(_ number: UInt64) -> Bool { prompts.removeValue(forKey: number) != nil }

    /// Withdraws its questions: it has left.
    func end() {
        for prompt in prompts.values {
            prompt.withdraw()
        }
        prompts = [:]
        sessions = [:]
    }

    /// Returns which program it is, by its process, which the bus knows.
    func program(_ connection: ProviderConnection) -> RequestingProgram {
        if let known {
            return known
        }
        let program: RequestingProgram
        if let id = connection.process(of: name), let process = RunningProcess(id) {
            let application = process.executable.flatMap {
                try? TrustedApplication(executable: $0, startedAs: process.name)
            }
            program = RequestingProgram(application, process: id, unit: process.unit)
        } else {
            program = RequestingProgram(nil)
        }
        known = program
        return program
    }
}
#endif
