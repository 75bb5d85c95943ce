internal import KeychainServices
internal import ToolSetup

// What a setup shows users.
extension SetupRun {
    /// The installed programs, the changes, and what can't be set up.
    var plan: Screen {
        var screen = Screen()
        screen.add("found", programs.map { "\($0.nameAndVersion) (\($0.path))" })
        for part in parts {
            if let plan = part.plan {
                plan.add(to: &screen, notes: plan.notes)
            }
            if let failure = part.failure {
                screen.add(.error, "\(part.tool.name) can't be set up: \(failure.reason)")
            }
        }
        return screen
    }

    /// What was not set up after all, the results of testing the tools' paths, and the files with plain-text logins.
    var result: Screen {
        var screen = Screen()
        switch removedTrialLogins {
        case 0: break
        case 1: screen.add(.note, "removed a trial login that an earlier setup left behind")
        default:
            screen.add(
                .note, "removed \(removedTrialLogins) trial logins that earlier setups left behind")
        }
        for part in parts where part.plan != nil && !part.isApplied {
            if let failure = part.failure {
                screen.add(.error, "\(part.tool.name) is not set up: \(failure.reason)")
            }
        }
        for outcome in outcomes {
            let name = outcome.program.rawValue
            if let failure = outcome.failure {
                screen.add(.error, "\(name) fails with a trial login: \(failure.reason)")
            } else {
                screen.add(.good, "\(name) works with a trial login")
            }
        }
        addPlainText(to: &screen)
        return screen
    }

    /// Adds the files with plain-text logins to a screen.
    func addPlainText(to screen: inout Screen) {
        for file in plainText {
            screen.add(
                .warning, "'\(file.path)' has \(counted(file.logins, "login")) in plain text")
        }
    }

    /// The consequences for plain-text logins that were not moved.
    var unmoved: Screen {
        var screen = Screen()
        let logins = parts.filter(\.isApplied).flatMap { $0.plan?.unusedLogins ?? [] }
        for logins in logins where logins.areStillThere {
            screen.add(.note, logins.shortNote)
        }
        return screen
    }
}
