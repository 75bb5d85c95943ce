internal import KeychainServices
internal import LinuxSystem

/// Serves clients in one thread, until a signal ends it. A client that is slow, or waits for the user, keeps
/// none of the others waiting. When there are too many, the connection that is idle longest ends.
final class AgentServer {
    /// Limits of numbers, and of time in milliseconds.
    struct Limits {
        var clients = 256
        /// Workers that ask no one, at a time.
        var workers = 8
        /// Questions that wait for the one that the user sees.
        var questions = 16
        var quietWork: Int64 = 20_000
        var question: Int64 = 120_000
        var client = AgentClient.TimeLimits()
    }

    /// After how many milliseconds to look whether a worker has ended.
    private static let look: Int64 = 20

    private let listener: ListeningSocket
    private let stop: StopSignals
    private let agent: Agent
    private let program: WorkerProcess.Program
    private let limits: Limits
    private var clients: [Int32: AgentClient] = [:]
    /// Counts connections and what they send.
    private var turn: UInt64 = 0
    /// The running workers, by their clients.
    private var workers: [Int32: WorkerProcess] = [:]
    /// The workers that were told to end.
    private var endingWorkers: [WorkerProcess] = []
    /// Whether a client can be taken: not while the process has no descriptor left for one and no client is idle.
    private var canAccept = true
    /// What has to wait for another worker, with its client, in order.
    private var queue: [(client: Int32, work: AgentWork)] = []

    init(
        _ listener: consuming ListeningSocket, stop: consuming StopSignals, agent: Agent,
        program: WorkerProcess.Program, limits: Limits = Limits()
    ) {
        self.listener = listener
        self.stop = stop
        self.agent = agent
        self.program = program
        self.limits = limits
    }

    /// Serves until a signal arrives.
    ///
    /// - Throws: ``Status/io`` if it can't wait for clients.
    func run() throws(KeychainError) {
        while true {
            let nextEnd = agent.removeEndedKeys()
            var set = PollSet()
            set.add(stop.descriptor, reading: true)
            if canAccept {
                set.add(listener.descriptor, reading: true)
            }
            for client in clients.values {
                client.join(&set)
            }
            for worker in workers.values {
                set.add(worker.descriptor, reading: true)
            }
            try set.wait(milliseconds: longestWait(nextEnd))
            canAccept = true
            guard !set.isReady(stop.descriptor) else {
                break
            }
            endingWorkers.removeAll { $0.hasEnded() }
            serveWorkers(set)
            serveClients(set)
            if set.isReady(listener.descriptor) {
                acceptClient()
            }
        }
        endAllWorkers()
    }

    /// Returns after how many milliseconds something is due without an event.
    private func longestWait(_ nextEnd: UInt64?) -> Int64? {
        var moments = clients.values.compactMap(\.remaining) + workers.values.map(\.remaining)
        if let nextEnd {
            // The clock of lifetimes goes on while the machine sleeps.
            moments.append(Int64(min(nextEnd, 60)) * 1000)
        }
        if !endingWorkers.isEmpty {
            moments.append(AgentServer.look)
        }
        return moments.min()
    }

    private func acceptClient() {
        guard let accepted = accept() else {
            return
        }
        let handle = Descriptor(owning: accepted)
        guard let peer = try? SystemCalls.peer(of: accepted),
            peer.user == SystemCalls.effectiveUser,
            clients.count < limits.clients || endIdleClient()
        else {
            return
        }
        clients[accepted] = AgentClient(
            handle, program: SystemCalls.programPath(of: peer.process), turn: nextTurn(),
            limits: limits.client)
    }

    private func accept() -> Int32? {
        do throws(SystemCallError) {
            return try SystemCalls.accept(listener.descriptor)
        } catch {
            // The end of a client leaves a descriptor for the next attempt. Without one the listener would be ready again
            // at once.
            canAccept = endIdleClient() || clients.isEmpty
            return nil
        }
    }

    /// Ends the connection that is idle longest.
    ///
    /// - Returns: Whether one was.
    private func endIdleClient() -> Bool {
        guard
            let idle = clients.filter(\.value.isIdle).min(by: { $0.value.turn < $1.value.turn })
        else {
            return false
        }
        remove(idle.key)
        return true
    }

    private func nextTurn() -> UInt64 {
        turn += 1
        return turn
    }

    private func serveClients(_ set: PollSet) {
        for (descriptor, client) in clients {
            do throws(KeychainError) {
                if set.isReady(descriptor) {
                    client.turn = nextTurn()
                    try client.proceed { message in
                        follow(agent.take(message, from: &client.connection), for: descriptor)
                    }
                }
                try client.passTime()
            } catch {
                remove(descriptor)
            }
        }
    }

    private func serveWorkers(_ set: PollSet) {
        for (descriptor, worker) in workers {
            if set.isReady(worker.descriptor), worker.read() {
                workers[descriptor] = nil
                follow(agent.finish(worker.work, worker.finish()), for: descriptor)
            } else if worker.remaining == 0 {
                workers[descriptor] = nil
                end(worker)
                follow(agent.finish(worker.work, nil), for: descriptor)
            }
        }
        startWorkers()
    }

    private func follow(_ step: Agent.Step, for descriptor: Int32) {
        switch step {
        case .answer(let answer):
            do throws(KeychainError) {
                try clients[descriptor]?.send(answer)
            } catch {
                remove(descriptor)
            }
        case .delayed(let answer, let milliseconds):
            clients[descriptor]?.send(answer, after: milliseconds)
        case .work(let work):
            guard !work.request.mayAsk || waitingQuestions < limits.questions else {
                follow(agent.finish(work, nil), for: descriptor)
                return
            }
            queue.append((client: descriptor, work: work))
            startWorkers()
        }
    }

    private var waitingQuestions: Int { queue.count { $0.work.request.mayAsk } }

    /// Starts what can be started: one question at a time, and other work beside it.
    private func startWorkers() {
        while let index = queue.firstIndex(where: { canStart($0.work) }) {
            let next = queue.remove(at: index)
            let limit = next.work.request.mayAsk ? limits.question : limits.quietWork
            do throws(SystemCallError) {
                workers[next.client] = try WorkerProcess(program, next.work, timeLimit: limit)
            } catch {
                follow(agent.finish(next.work, nil), for: next.client)
            }
        }
    }

    private func canStart(_ work: AgentWork) -> Bool {
        let running = workers.values.count { $0.work.request.mayAsk == work.request.mayAsk }
        return running < (work.request.mayAsk ? 1 : limits.workers)
    }

    /// Forgets a client, and ends the work for it.
    private func remove(_ descriptor: Int32) {
        clients[descriptor] = nil
        queue.removeAll { $0.client == descriptor }
        if let worker = workers.removeValue(forKey: descriptor) {
            end(worker)
            startWorkers()
        }
    }

    private func end(_ worker: WorkerProcess) {
        worker.beginToEnd()
        endingWorkers.append(worker)
    }

    private func endAllWorkers() {
        for worker in workers.values {
            end(worker)
        }
        while !endingWorkers.isEmpty {
            endingWorkers.removeAll { $0.hasEnded() }
            SystemCalls.sleep(milliseconds: 5)
        }
    }
}
