internal import KeychainServices
internal import ToolSetup

// What a person is told of a setup, in lines.
extension SetupRun {
    /// What is installed.
    var foundLines: [String] {
        ["found:"]
            + programs.map {
                "    \($0.nameAndVersion) (\($0.path))"
            }
    }

    /// What is to change.
    var planLines: [String] {
        var lines: [String] = []
        for part in parts {
            if let plan = part.plan {
                lines += plan.lines(isDryRun: false, notes: plan.notes)
            } else if let failure = part.failure {
                lines.append("\(part.tool.rawValue) can't be set up: \(failure.reason)")
            }
        }
        return lines
    }

    /// What came of trying the tools' paths.
    var outcomeLines: [String] {
        guard !outcomes.isEmpty else {
            return removedLines
        }
        return removedLines + ["tried with a made-up login, which is removed again:"]
            + outcomes.map { outcome in
                let reason = outcome.failure.map { "fails: \($0.reason)" }
                return "    \(outcome.program.rawValue): \(reason ?? "works")"
            }
    }

    private var removedLines: [String] {
        switch removedTrialLogins {
        case 0: []
        case 1: ["removed a made-up login that an earlier setup left behind"]
        default: ["removed \(removedTrialLogins) made-up logins that earlier setups left behind"]
        }
    }

    /// Where logins lie in plain text.
    var plainTextLines: [String] {
        plainText.map { file in
            let logins = file.logins == 1 ? "1 login" : "\(file.logins) logins"
            return "warning: '\(file.path)' holds \(logins) in plain text"
        }
    }

    /// What it means for logins in plain text that none of their file was moved.
    var unmovedLines: [String] {
        parts.filter(\.isApplied).flatMap { $0.plan?.unusedLogins ?? [] }
            .filter(\.areStillThere).map { "note: \($0.note)" }
    }
}
