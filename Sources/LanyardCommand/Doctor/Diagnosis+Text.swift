internal import Diagnosis
internal import Glibc
internal import LinuxSystem

extension Diagnosis {
    /// The indentation of a finding's details in columns.
    static let indentation = 9

    /// The lines for users: a word for each passed check, and remedies for problems.
    var lines: [String] {
        var lines: [String] = []
        for outcome in outcomes {
            guard !outcome.findings.isEmpty else {
                lines.append("ok       \(outcome.check)")
                continue
            }
            for finding in outcome.findings {
                lines += finding.lines
            }
        }
        return lines + ["", summary]
    }

    /// The lines to show others: without names, hosts and places.
    var reportLines: [String] {
        var lines = ["lanyard \(LinuxSystem.version)", "kernel \(Diagnosis.kernel)"]
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

    private var summary: String {
        let counts = [Finding.Severity.error, .warning, .note].compactMap { severity in
            let count = findings.count { $0.severity == severity }
            return count == 0
                ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return counts.isEmpty ? "all is well" : counts.joined(separator: ", ")
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
    fileprivate var lines: [String] {
        let space = String(repeating: " ", count: Diagnosis.indentation)
        let head = severity.rawValue + space.dropFirst(severity.rawValue.count)
        return [
            "\(head)\(what.full) [\(code.rawValue)]",
            "\(space)\(meaning)",
            space + remedyText,
        ]
    }

    private var remedyText: String {
        switch remedy {
        case .command(let command): "fix: \(command.full)"
        case .advice(let advice): "to do: \(advice.full)"
        }
    }
}
