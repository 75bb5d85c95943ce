internal import LanyardDiagnosis
internal import Glibc
internal import LinuxSystem

extension Diagnosis {
    /// Returns the findings for users, the worst first, each with its remedy; then the passed checks, and a summary.
    ///
    /// - Parameter isVerbose: Whether to show remarks, and the names of the passed checks.
    func screen(isVerbose: Bool) -> Screen {
        let shown = findings.filter { isVerbose || !$0.code.isRemark }
        var screen = Screen()
        var last: String?
        for severity in [Finding.Severity.error, .warning, .note] {
            for finding in shown where finding.severity == severity {
                finding.add(to: &screen, after: &last)
            }
        }
        let passed = outcomes.filter { outcome in
            outcome.findings.allSatisfy(\.code.isRemark)
        }.map(\.check)
        let remarks = findings.count - shown.count
        let more = remarks == 0 ? "" : ", \(counted(remarks, "remark")) (--verbose)"
        screen.add(
            .good,
            [
                "\(counted(passed.count, "check")) passed\(more)",
                isVerbose ? passed.joined(separator: "; ") : "",
            ].filter { !$0.isEmpty })
        screen.addBlankLine()
        screen.add("theft", thefts)
        screen.add("result", Diagnosis.summary(of: shown))
        return screen
    }

    /// The lines to show others: without names, hosts and places.
    var reportLines: [String] {
        var lines = ["lanyard \(lanyardVersion)", "kernel \(Diagnosis.kernel)"]
        lines += programs
        for outcome in outcomes where outcome.findings.isEmpty {
            lines.append("ok: \(outcome.check)")
        }
        for finding in findings {
            lines.append(
                "\(finding.severity.rawValue): \(finding.code.rawValue): "
                    + finding.what.redacted(home: home))
        }
        return lines
    }

    private static func summary(of findings: [Finding]) -> String {
        let counts = [Finding.Severity.error, .warning, .note].compactMap { severity in
            let count = findings.count { $0.severity == severity }
            return count == 0
                ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return counts.isEmpty ? "no problems" : counts.joined(separator: ", ")
    }

    /// The kernel's release from uname(2), and nothing about the machine.
    private static var kernel: String {
        var names = utsname()
        // Safe: the variable outlives the calls, and `uname` NUL-terminates each text in it.
        guard unsafe uname(&names) == 0 else {
            return "unknown"
        }
        let release = unsafe withUnsafeBytes(of: &names.release) { bytes in
            // Safe: as above.
            unsafe bytes.prefix { $0 != 0 }.map { $0 }
        }
        // The release of a custom kernel may contain its builder's name.
        return String(decoding: release, as: UTF8.self)
            .split(separator: "-").first.map { String($0) } ?? "unknown"
    }
}

extension Finding {
    /// - Parameter last: The remedy of the finding above, which is not repeated.
    fileprivate func add(to screen: inout Screen, after last: inout String?) {
        let own =
            switch remedy {
            case .command(let command): "fix: \(command.full)"
            case .advice(let advice): advice.full
            }
        let isCommand = if case .command = remedy { true } else { false }
        let remedy = isCommand && own == last ? "fix: the same command as above" : own
        last = own
        screen.add(severity.label, "\(what.full) [\(code.rawValue)]", meaning, remedy)
    }
}

extension Finding.Severity {
    fileprivate var label: Screen.Label {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note: .note
        }
    }
}
