import Glibc

/// Reports how much memory a process has, and how much of it is not shared with the programs' files.
func reportMemory(of process: some CustomStringConvertible, _ work: String, _ program: String) {
    for (figure, title) in [("VmRSS", "resident"), ("RssAnon", "resident, its own")] {
        let line = read("/proc/\(process)/status").split(separator: "\n").first {
            $0.hasPrefix("\(figure):")
        }
        let size = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        Result.report([
            Result(
                work: "\(work), \(title)", program: program, value: size.flatMap { Double($0) },
                unit: .kibibytes)
        ])
    }
}

/// Measures the memory of the SSH agent that waits for its first client.
func measureAgentMemory() {
    let name = "lanyard-ssh-agent"
    let null = open("/dev/null", O_WRONLY)
    defer { close(null) }
    let agent = start(
        Program(
            name: name, path: "\(Options.bin)/\(name)",
            arguments: ["--socket", "\(Options.scratch)/agent"],
            environment: ["LANYARD_HOME": "\(Options.scratch)/agent-home"]), output: null)
    sleep(2)
    reportMemory(of: agent, "memory of the idle SSH agent", name)
    kill(agent, SIGTERM)
    waitpid(agent, nil, 0)
}

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
