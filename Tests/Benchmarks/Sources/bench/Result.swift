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
                "\(result.work)\t\(result.program)\t\(kept)\t\(result.unit.rawValue)\n",
                adding: true)
            var times = ""
            if results.count > 1, let first = results[0].value, let value = result.value {
                times = ratio(first / value)
            }
            say("\(result.work) | \(result.program) | \(result.text) | \(times)")
        }
        if results[0].value == nil {
            fail("\(results[0].program) failed at \(results[0].work)")
        }
    }

    /// What was measured so far.
    static func all() -> [Result] {
        read(Options.results).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 4, let unit = Unit(rawValue: String(fields[3])) else {
                return nil
            }
            return Result(
                work: String(fields[0]), program: String(fields[1]), value: Double(fields[2]),
                unit: unit)
        }
    }
}
