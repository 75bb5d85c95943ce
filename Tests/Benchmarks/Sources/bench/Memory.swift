/// Measures the peak memory of a get from one login by git's helpers.
func measureMemory() throws {
    guard let meter = variable("PEAK_MEMORY") else {
        return
    }
    let helpers = try GitHelpers(1)
    let rounds = min(Options.rounds, 11)
    let requests = GitRequests(rounds: rounds, among: 1)
    var programs = helpers.doing("get", requests.get)
    if let path = variable("EMPTY_PROGRAM") {
        programs.append(Program(name: "empty C program", path: path))
    }
    let figure = "\(Options.scratch)/peak-memory"
    Result.report(
        programs.map { program in
            var metered = program
            metered.path = meter
            metered.arguments = [figure, program.path] + program.arguments
            let peaks = (0..<rounds).compactMap { round in
                run(metered, round: round).status == 0
                    ? Double(read(figure).filter { $0 != "\n" }) : nil
            }
            return Result(
                work: "peak memory of a git get", program: program.name,
                value: peaks.count == rounds ? median(peaks) : nil, unit: .kibibytes)
        })
}
