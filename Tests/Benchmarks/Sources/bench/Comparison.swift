import Glibc

/// Several programs that do the same work, run round after round: a slow moment of the machine
/// hits all of them, and each time in another order: a program takes longer after one that has used the
/// processor's caches for itself. The first one is ours.
struct Comparison {
    var work: String
    var programs: [Program]
    /// Files that are put out of the page cache first, and then read again by the run that is not measured, as after a
    /// boot; otherwise they are as they were written.
    var dropped: [String] = []

    /// Runs everything and reports the medians. A program that fails once is no peer.
    func measure(rounds: Int = Options.rounds) {
        dropped.forEach(dropPages)
        var costs = programs.map { _ in [Cost]() }
        var usable = programs.map { check($0) }
        for round in 1...rounds {
            for index in programs.indices.shuffled() where usable[index] {
                let cost = run(programs[index], round: round)
                usable[index] = cost.status == 0
                costs[index].append(cost)
            }
        }
        Result.report(
            programs.indices.map { index in
                Result(
                    work: work, program: programs[index].name,
                    value: usable[index] ? median(costs[index].map(\.wall)) : nil,
                    unit: .milliseconds, runs: usable[index] ? costs[index] : [])
            })
    }

    /// The run with the number 0, which is not measured.
    private func check(_ program: Program) -> Bool {
        let output = "\(Options.scratch)/answer"
        let cost = run(program, round: 0, output: output)
        guard cost.status == 0 else {
            return false
        }
        return program.expected.map { read(output).contains($0) } ?? true
    }
}
