import Glibc

/// By how much an operation may grow before that is complained about.
private let tolerance = 0.05

/// Counts the instructions of each operation and holds them against the baselines, or writes these anew
/// where BENCH_KEEP is set. The status is 1 where an operation grew, failed or has no baseline.
func measureInstructions() throws {
    guard let valgrind = variable("VALGRIND"), let file = variable("BASELINES"),
        let toolchain = variable("TOOLCHAIN")
    else {
        return
    }
    let baselines = Baselines(file: file)
    var measured = Baselines(toolchain: toolchain)
    var table = Table("operation", "instructions", "spread", "baseline", "change")
    var complaints: [String] = []
    var advice: [String] = []
    var failed = false
    for operation in try Operation.all() {
        guard let counts = operation.count(valgrind: valgrind), let fewest = counts.min(),
            let most = counts.max()
        else {
            failed = true
            complaints.append("failed: \(operation.name)")
            continue
        }
        measured.add(operation.name, fewest)
        var fields = [
            operation.name, grouped(fewest),
            decimal(Double(most - fewest) / Double(fewest) * 100, 2) + " %",
        ]
        if let baseline = baselines.counts[operation.name] {
            let change = Double(fewest - baseline) / Double(baseline)
            fields += [grouped(baseline), percent(change)]
            let text =
                "\(operation.name): \(grouped(baseline)) -> \(grouped(fewest)), \(percent(change))"
            if change > tolerance {
                complaints.append("grew: \(text)")
            } else if change < -tolerance {
                advice.append("shrank: \(text)")
            }
        } else {
            fields += ["", ""]
            complaints.append("has no baseline: \(operation.name)")
        }
        table.rows.append(fields)
    }
    table.lines.forEach(say)
    if !baselines.names.isEmpty, baselines.toolchain != toolchain {
        say("the baselines were made with \(baselines.toolchain), not with \(toolchain)")
    }
    (advice + complaints).forEach(say)
    if variable("BENCH_KEEP") == "1", !failed {
        write(file, measured.text, mode: 0o644)
        say("these are the baselines now: \(file)")
    } else if !complaints.isEmpty {
        say("BENCH_KEEP=1 makes what was counted the baselines")
        exit(1)
    }
}

private func percent(_ part: Double) -> String {
    let text = decimal(part * 100, 1)
    return (text == "0.0" || part < 0 ? text : "+\(text)") + " %"
}
