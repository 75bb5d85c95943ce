/// What was measured of one program.
struct Result {
    /// What the figure counts.
    enum Unit: String {
        case milliseconds = "ms"
        case kibibytes = "KiB"
        case bytes
    }

    /// What it did, such as "git get, 1,000".
    var work: String
    var program: String
    /// The median, or nil where the program failed.
    var value: Double?
    var unit: Unit
    /// What each run cost, where they were several.
    var runs: [Cost] = []
    /// The median of the time on processors, in milliseconds.
    var cpu: Double?

    /// The shortest run, the lower quartile, the time on processors and the page faults, each of these a median.
    private var spread: [String] {
        guard !runs.isEmpty else {
            return ["", "", "", ""]
        }
        let walls = runs.map(\.wall)
        let times = [walls.min() ?? 0, lowerQuartile(walls), cpuOfRuns ?? 0]
        return times.map { decimal($0, 3) } + [decimal(median(runs.map(\.faults)), 0)]
    }

    private var cpuOfRuns: Double? { runs.isEmpty ? nil : median(runs.map(\.cpu)) }

    /// The figure with its unit.
    var text: String {
        guard let value else {
            return "failed"
        }
        return "\(decimal(value, unit == .milliseconds ? 3 : 0)) \(unit.rawValue)"
    }

    /// The name of a work that is done with so many logins stored.
    static func work(_ name: String, _ count: Int) -> String {
        "\(name), \(grouped(count))"
    }

    /// Prints a row for each result with the ratio of the first to it, and keeps the results for the
    /// tables at the end. The first one is ours: where that failed everything ends.
    static func report(_ results: [Result]) {
        for result in results {
            let kept = result.value.map { "\($0)" } ?? ""
            write(
                Options.results,
                "\(result.work)\t\(result.program)\t\(kept)\t\(result.unit.rawValue)\t"
                    + (result.cpuOfRuns.map { "\($0)" } ?? "") + "\n",
                adding: true)
            func times(_ figure: (Result) -> Double?) -> String {
                guard results.count > 1, let first = figure(results[0]), let value = figure(result)
                else {
                    return ""
                }
                return ratio(first / value)
            }
            let fields =
                [result.work, result.program, result.text] + result.spread
                + [times(\.value), times(\.cpuOfRuns)]
            say(fields.joined(separator: " | "))
        }
        if results[0].value == nil {
            fail("\(results[0].program) failed at \(results[0].work)")
        }
    }

    /// What was measured so far.
    static func all() -> [Result] {
        read(Options.results).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 5, let unit = Unit(rawValue: String(fields[3])) else {
                return nil
            }
            return Result(
                work: String(fields[0]), program: String(fields[1]), value: Double(fields[2]),
                unit: unit, cpu: Double(fields[4]))
        }
    }
}
