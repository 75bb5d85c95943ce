/// Something that a program does, whose instructions are counted.
struct Operation {
    /// How often each operation is counted.
    static let runs = 3

    var name: String
    /// The program for the run with this number.
    var program: (Int) -> Program

    /// How many instructions each run took, as `valgrind --tool=callgrind` counts them; nil if one failed.
    func count(valgrind: String) -> [Int]? {
        let counts = (0..<Self.runs).compactMap { count($0, valgrind) }
        return counts.count == Self.runs ? counts : nil
    }

    private func count(_ run: Int, _ valgrind: String) -> Int? {
        let log = "\(Options.scratch)/callgrind"
        let output = "\(Options.scratch)/answer"
        let program = program(run)
        var counted = program
        // The same few variables everywhere: what looks for one walks over all.
        counted.path = "/usr/bin/env"
        counted.environment = [:]
        counted.arguments =
            ["-i", "PATH=/usr/bin:/bin", "HOME=/nonexistent"]
            + program.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            + [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            + ["--log-file=\(log)", program.path] + program.arguments
        guard bench.run(counted, round: run, output: output).status == 0 else {
            return nil
        }
        if let expected = program.expected, !read(output).contains(expected) {
            return nil
        }
        // ==PID== Collected : NUMBER
        let line = read(log).split(separator: "\n").last { $0.contains(" Collected : ") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }
}
