/// Several programs that do the same work, run in turn so that a slow moment of the machine hits all
/// of them.
struct Comparison {
    var work: String
    var programs: [Program]
    /// Text that the answer of each must hold; a program that fails or answers something else is no
    /// peer.
    var expected: String?

    /// Runs everything and prints a row for each program: the median, and the ratio of the first
    /// one's median to it.
    func measure(rounds: Int) {
        var medians: [(name: String, wall: Double)] = []
        var walls = programs.map { _ in [Double]() }
        var usable = programs.map { check($0) }
        for round in 0..<rounds {
            for index in programs.indices where usable[index] {
                let cost = run(programs[index], round: round + 1)
                if cost.status != 0 {
                    usable[index] = false
                }
                walls[index].append(cost.wall)
            }
        }
        for index in programs.indices {
            guard usable[index] else {
                print("\(work) | \(programs[index].name) | failed |")
                continue
            }
            medians.append((programs[index].name, median(walls[index])))
        }
        guard let first = medians.first, usable[0] else {
            return
        }
        for row in medians {
            print(
                "\(work) | \(row.name) | \(text(row.wall)) | \(text(first.wall / row.wall))")
        }
    }

    private func check(_ program: Program) -> Bool {
        let output = "\(scratch)/answer"
        let cost = run(program, round: 0, output: output)
        guard cost.status == 0 else {
            return false
        }
        guard let expected else {
            return true
        }
        return read(output).contains(expected)
    }

    private func median<Number: Comparable>(_ numbers: [Number]) -> Number {
        numbers.sorted()[numbers.count / 2]
    }

    private func text(_ number: Double) -> String {
        let thousandths = Int((number * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)."
            + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
