internal import ArgumentParser
internal import Diagnosis
internal import Glibc
internal import Prompting
internal import KeychainServices

/// `lanyard doctor`: says why a tool asks again, and what is not as it should be.
struct DoctorCommand: WaitingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what is wrong between the tools and their logins.",
        discussion: "Changes nothing. Run it where the tool asks again: in the repository."
    ).examples(
        "lanyard doctor",
        "lanyard doctor --report")

    @OptionGroup var json: JSONFlag
    @Flag(
        name: .customLong("report"),
        help: "Print a text without names, hosts and places, to be shown to others.")
    var isReport = false

    func validate() throws {
        if isReport, json.isOn {
            throw ValidationError("--report and --json don't go together")
        }
    }

    func runWaiting() async throws {
        let diagnosis = await Diagnosis()
        if json.isOn {
            try writeAnswer(diagnosis.json())
        } else if isReport {
            try show(diagnosis.reportLines)
        } else {
            try show(diagnosis.lines, indentation: Diagnosis.indentation)
        }
        let status = diagnosis.exitStatus
        // What was found is the answer and no failure of ours: there is no error to print.
        if status != 0 {
            _exit(status)
        }
    }
}

extension Diagnosis {
    /// 0 if all is well, 1 if there is an error among the findings, 2 if there are warnings only.
    fileprivate var exitStatus: Int32 {
        switch severity {
        case .error: 1
        case .warning: 2
        case .note, nil: 0
        }
    }
}
