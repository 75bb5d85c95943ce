import Foundation
import Glibc
import TestSupport
import Testing
@testable import EndToEndRig

/// Sixteen workers that write, remove and read logins with all three programs at once, and hold
/// each answer against a model.
struct TortureWorkload: Sendable {
    /// What a refused change leaves.
    enum Refusal: Sendable {
        /// No change may be refused.
        case forbidden
        /// What was there before.
        case unchanged
    }

    let home: ScratchHome
    /// Before the program and its arguments: what puts it where it has to run.
    var prefix: @Sendable (inout SeededRandom) -> [String] = { _ in [] }
    var refusal = Refusal.forbidden
    /// Whether reading may be refused as well: where a change that was cut off has to be undone, and
    /// that takes writing.
    var refusesReading = false
    /// Whether processes are killed at random moments.
    var kills = false
    static let workers = 16

    let model = TortureModel()

    /// What happened, for the figures.
    struct Figures: Sendable {
        var operations = 0
        var killed = 0
        var refused = 0

        static func + (one: Figures, other: Figures) -> Figures {
            Figures(
                operations: one.operations + other.operations, killed: one.killed + other.killed,
                refused: one.refused + other.refused)
        }
    }

    /// Works until the time is over.
    ///
    /// - Parameter kills: How many processes have to be killed, whatever the time.
    func run(for time: Duration, kills: Int = 0) async throws -> Figures {
        let end = ContinuousClock.now + time
        let each = (kills + Self.workers - 1) / Self.workers
        return try await withThrowingTaskGroup(of: Figures.self) { group in
            for number in 0..<Self.workers {
                group.addTask {
                    var worker = Worker(self, number)
                    while ContinuousClock.now < end || worker.figures.killed < each {
                        try await worker.step()
                    }
                    return worker.figures
                }
            }
            return try await group.reduce(Figures(), +)
        }
    }

    /// Expects of every login that it is in a state that the model allows, and of the keychain
    /// that it is whole.
    func expectInOrder(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var random = SeededRandom(stream: 1000)
        let prefix = prefix(&random)
        for login in model.logins {
            let outcome = try await perform(.read, on: login, prefix)
            guard case .secret(let found) = login.answer(.read, outcome) else {
                Issue.record("\(outcome)", sourceLocation: sourceLocation)
                continue
            }
            expectAllowed(found, of: login, sourceLocation)
        }
        let words = prefix + ["lanyard", "verify"]
        let verified = try await home.command(words[0], Array(words.dropFirst())).run()
        #expect(verified.status == 0, "\(verified)", sourceLocation: sourceLocation)
    }

    fileprivate func expectAllowed(
        _ found: String?, of login: TortureLogin,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isAllowed =
            login.isShared
            ? model.wasWanted(login, found) : model.states(of: login).contains(found)
        #expect(
            isAllowed, "\(login): \(found ?? "nothing"), not \(model.states(of: login))",
            sourceLocation: sourceLocation)
    }

    /// Runs a program to its end.
    fileprivate func perform(
        _ operation: TortureLogin.Operation, on login: TortureLogin, _ prefix: [String]
    ) async throws -> Outcome {
        let call = login.call(operation)
        let words = prefix + call.arguments
        return try await home.command(
            words[0], Array(words.dropFirst()), input: Array(call.input.utf8)
        ).run()
    }

    /// Runs a program and kills it after a while.
    fileprivate func perform(
        _ operation: TortureLogin.Operation, on login: TortureLogin, _ prefix: [String],
        killedAfter delay: Duration, worker: Int
    ) async throws -> Outcome {
        let call = login.call(operation)
        // A file as input: the program must not wait for us when it is killed.
        let input = try home.write(call.input, to: "input-\(worker)")
        let words =
            prefix + ["sh", "-c", "input=$1; shift; exec \"$@\" <\"$input\"", "sh", input]
            + call.arguments
        return try await home.command(words[0], Array(words.dropFirst())).run { process in
            try await Task.sleep(for: delay, tolerance: .zero)
            kill(process, SIGKILL)
        }.outcome
    }
}

extension TortureLogin {
    private static let sharedName = "shared"

    /// Whether all workers use it.
    var isShared: Bool { name.hasPrefix(Self.sharedName) }

    /// What one worker uses: logins of its own, whose state it knows, and some that all use.
    static func logins(ofWorker number: Int) -> [TortureLogin] {
        Program.allCases.flatMap { program in
            [
                TortureLogin(program: program, name: "worker-\(number)-a"),
                TortureLogin(program: program, name: "worker-\(number)-b"),
                TortureLogin(program: program, name: sharedName),
            ]
        }
    }
}

private struct Worker {
    let workload: TortureWorkload
    let number: Int
    var random: SeededRandom
    var figures = TortureWorkload.Figures()
    private let logins: [TortureLogin]
    /// In milliseconds; follows how long a program takes here, to make sure that about every other one that
    /// is to be killed is.
    private var longest = 30.0
    private var count = 0

    init(_ workload: TortureWorkload, _ number: Int) {
        self.workload = workload
        self.number = number
        random = SeededRandom(stream: number)
        logins = TortureLogin.logins(ofWorker: number)
    }

    mutating func step() async throws {
        let login = random.element(of: logins)
        count += 1
        let operation: TortureLogin.Operation =
            switch random.number(below: 10) {
            case 0..<5: .write("secret-\(number)-\(count)" + padding())
            case 5..<7: .remove
            default: .read
            }
        let wanted: String? = if case .write(let secret) = operation { secret } else { nil }
        let isChange = if case .read = operation { false } else { true }
        if isChange {
            workload.model.begin(login, wanted)
        }
        let prefix = workload.prefix(&random)
        figures.operations += 1
        let outcome: Outcome
        if workload.kills, random.one(in: 2) {
            let delay = Duration.milliseconds(1) * Double.random(in: 0..<longest, using: &random)
            outcome = try await workload.perform(
                operation, on: login, prefix, killedAfter: delay, worker: number)
            longest *= outcome.status == nil ? 1.05 : 0.95
        } else {
            outcome = try await workload.perform(operation, on: login, prefix)
        }
        guard outcome.status != nil else {
            figures.killed += 1
            if isChange {
                workload.model.doubt(login, wanted)
            }
            return
        }
        switch login.answer(operation, outcome) {
        case .done:
            workload.model.settle(login, wanted)
        case .secret(let found):
            workload.expectAllowed(found, of: login)
            workload.model.settle(login, found)
        case nil:
            figures.refused += 1
            let isAllowed = isChange ? workload.refusal != .forbidden : workload.refusesReading
            #expect(isAllowed, "\(operation): \(outcome)")
        }
    }

    /// Makes items grow and shrink by pages.
    private mutating func padding() -> String {
        random.one(in: 4) ? String(repeating: "x", count: random.number(below: 9000)) : ""
    }
}
