internal import KeychainServices
internal import ToolSetup

// The text of a setup for users, in lines.
extension SetupRun {
    /// The installed programs.
    var foundLines: [String] {
        ["found:"]
            + programs.map {
                "    \($0.nameAndVersion) (\($0.path))"
            }
    }

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

    /// The results of testing the tools' paths.
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

    /// The files with plain-text logins.
    var plainTextLines: [String] {
        plainText.map { file in
            let logins = file.logins == 1 ? "1 login" : "\(file.logins) logins"
            return "warning: '\(file.path)' holds \(logins) in plain text"
        }
    }

    /// The consequences for plain-text logins that were not moved.
    var unmovedLines: [String] {
        parts.filter(\.isApplied).flatMap { $0.plan?.unusedLogins ?? [] }
            .filter(\.areStillThere).map { "note: \($0.note)" }
    }
}
