import Glibc

/// What the environment says; see ../../run.
enum Options {
    /// The folder of the built programs.
    static let bin = required("LANYARD_BIN_DIR")
    /// Where everything that a run makes lies; the caller removes it.
    static let scratch = required("SCRATCH")
    /// The file that takes the results of all runs of bench, for the tables at the end.
    static let results = required("RESULTS")
    /// How often each program of a comparison runs.
    static let rounds = variable("ROUNDS").flatMap { Int($0) }.map { max($0, 1) } ?? 51

    /// Whether a part of the benchmarks was asked for: aims, sizes or chart.
    static func wants(_ parts: String...) -> Bool {
        let wanted = required("BENCH_PARTS").split(separator: " ")
        return parts.contains { wanted.contains(Substring($0)) }
    }

    private static func required(_ name: String) -> String {
        guard let value = variable(name) else {
            fail("\(name) is not set")
        }
        return value
    }
}

/// A variable of the environment, nil if it is not set or empty.
func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else {
        return nil
    }
    return String(cString: value)
}

/// Ends the program with an error.
func fail(_ reason: String) -> Never {
    let line = Array("lanyard: error: \(reason)\n".utf8)
    _ = Glibc.write(2, line, line.count)
    exit(1)
}
