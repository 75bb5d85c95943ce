internal import ArgumentParser
internal import LanyardDiagnosis
internal import Glibc
internal import LanyardPrompting
internal import KeychainServices

/// `lanyard doctor`: explains why a tool asks again, and finds problems.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why a tool can't use its logins.",
        discussion: "Changes nothing. Run it in the repository where git asks again."
    ).examples(
        "lanyard doctor",
        "lanyard doctor --report")

    @OptionGroup var json: JSONFlag
    @Flag(
        name: .customLong("report"),
        help: "Print a report without names, hosts and paths, safe to share.")
    var isReport = false
    @Flag(
        name: [.customShort("v"), .customLong("verbose")],
        help: "Name the checks that passed, and what needs nothing to be done.")
    var isVerbose = false

    func validate() throws {
        if isReport, json.isOn {
            throw ValidationError("--report and --json can't be combined")
        }
        if isVerbose, isReport || json.isOn {
            throw ValidationError("--report and --json leave nothing out: leave --verbose out")
        }
    }

    func run() throws {
        let diagnosis = Diagnosis()
        if json.isOn {
            try writeAnswer(diagnosis.json())
        } else if isReport {
            try show(diagnosis.reportLines)
        } else {
            try diagnosis.screen(isVerbose: isVerbose).show()
        }
        let status = diagnosis.exitStatus
        // The findings are the answer: there is no error to print.
        if status != 0 {
            _exit(status)
        }
    }
}

extension Diagnosis {
    /// 0 without problems, 1 with errors among the findings, 2 with warnings only.
    fileprivate var exitStatus: Int32 {
        switch severity {
        case .error: 1
        case .warning: 2
        case .note, nil: 0
        }
    }
}
