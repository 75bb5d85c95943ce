internal import KeychainServices
internal import ToolSetup

/// The setup of every tool that is installed: what is there, what is to change, and what came of it.
struct SetupRun {
    /// What there is to do for a tool.
    struct Part {
        let tool: Tool
        /// The plan, nil if there can be none.
        let plan: SetupPlan?
        /// Why there is no plan, or why it could not be carried out.
        var failure: KeychainError?
        /// Whether it was carried out.
        var isApplied = false
    }

    /// What is installed.
    let programs: [ToolProgram]
    /// The files with logins in plain text.
    let plainText: [PlainTextLeftover]
    /// What there is to do, for each tool of which a program is installed.
    private(set) var parts: [Part] = []
    /// How many logins of earlier trials were removed.
    private(set) var removedTrialLogins = 0
    /// What came of trying the tools' paths, nothing before that.
    private(set) var outcomes: [PathTest.Outcome] = []
    private let environment: SetupEnvironment

    /// Looks for the tools and makes the plans. A tool that can't be set up does not keep the others from
    /// it.
    ///
    /// - Throws: ``Status/notAvailable`` if no tool is installed.
    init(_ environment: SetupEnvironment) async throws(KeychainError) {
        self.environment = environment
        programs = await ToolProgram.installed(environment)
        guard !programs.isEmpty else {
            throw KeychainError(
                .notAvailable, "none of git, docker, podman, skopeo and buildah is on the PATH",
                hint: "install one, then set it up")
        }
        for tool in Tool.allCases where programs.contains(where: { $0.name.tool == tool }) {
            do throws(KeychainError) {
                let plan = try await ToolSetup(tool, environment).plan()
                parts.append(Part(tool: tool, plan: plan))
            } catch {
                parts.append(Part(tool: tool, plan: nil, failure: error))
            }
        }
        plainText = await PlainTextLeftover.all(environment)
    }

    /// Whether every tool that can be set up is.
    var isNothingToChange: Bool { parts.allSatisfy { $0.plan?.isEmpty ?? true } }

    /// Carries the plans out.
    mutating func apply() {
        for index in parts.indices {
            guard let plan = parts[index].plan else {
                continue
            }
            do throws(KeychainError) {
                try ToolSetup(plan.tool, environment).apply(plan)
                parts[index].isApplied = true
            } catch {
                parts[index].failure = error
            }
        }
    }

    /// Tries the paths of the tools that are set up, after removing what trials that were killed have
    /// left behind.
    mutating func tryOut() async {
        removedTrialLogins = removeLeftTrialLogins()
        let tools = parts.filter(\.isApplied).map(\.tool)
        outcomes = await PathTest(environment).run(
            programs.map(\.name).filter { tools.contains($0.tool) })
    }

    /// The first thing that went wrong, with the tool's name.
    var failure: KeychainError? {
        if let part = parts.first(where: { $0.failure != nil }), let error = part.failure {
            return KeychainError(
                error.status, "\(part.tool.rawValue) is not set up: \(error.reason)",
                hint: error.hint)
        }
        guard let outcome = outcomes.first(where: { $0.failure != nil }),
            let error = outcome.failure
        else {
            return nil
        }
        return KeychainError(
            error.status, "\(outcome.program.rawValue) does not get its logins: \(error.reason)",
            hint: error.hint)
    }
}
