internal import KeychainServices
internal import ToolSetup

/// The setup of every installed tool: its state, its changes and their result.
struct SetupRun {
    /// The setup of one tool.
    struct Part {
        let tool: Tool
        /// The plan, nil if there is none.
        let plan: SetupPlan?
        /// Why there is no plan, or why it or a part of it failed.
        var failure: KeychainError?
        /// Whether it was applied.
        var isApplied = false
    }

    /// The installed programs.
    let programs: [ToolProgram]
    /// The plain-text files with logins that an import takes.
    let plainText: [PlainTextLeftover]
    /// The parts for each tool with an installed program.
    private(set) var parts: [Part] = []
    /// The number of removed logins from earlier trials.
    private(set) var removedTrialLogins = 0
    /// The results of testing the tools' paths, empty before that.
    private(set) var outcomes: [PathTest.Outcome] = []
    private let environment: SetupEnvironment

    /// Finds the tools and makes the plans. A tool that can't be set up does not affect the others.
    ///
    /// - Throws: ``Status/notAvailable`` if no tool is installed.
    init(_ environment: SetupEnvironment) throws(KeychainError) {
        self.environment = environment
        programs = ToolProgram.installed(environment)
        guard !programs.isEmpty else {
            throw KeychainError(
                .notAvailable, "none of git, docker, podman, skopeo and buildah is on the PATH",
                hint: "install one, then set it up")
        }
        for tool in Tool.allCases where programs.contains(where: { $0.name.tool == tool }) {
            do throws(KeychainError) {
                let plan = try ToolSetup(tool, environment).partialPlan()
                parts.append(Part(tool: tool, plan: plan, failure: plan.failure))
            } catch {
                parts.append(Part(tool: tool, plan: nil, failure: error))
            }
        }
        plainText = PlainTextLeftover.all(environment).filter { !$0.hasOnlyDefault }
    }

    /// Whether every tool is set up, as far as possible.
    var isNothingToChange: Bool { parts.allSatisfy { $0.plan?.isEmpty ?? true } }

    /// Applies the plans.
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

    /// Tests the paths of the configured tools, after removing logins of killed trials.
    mutating func tryOut() {
        removedTrialLogins = removeLeftTrialLogins()
        let tools = parts.filter(\.isApplied).map(\.tool)
        outcomes = PathTest(environment).run(
            programs.map(\.name).filter { tools.contains($0.tool) })
    }

    /// The first error, with the tool's name.
    var failure: KeychainError? {
        if let part = parts.first(where: { $0.failure != nil }), let error = part.failure {
            return KeychainError(
                error.status, "\(part.tool.name) is not set up: \(error.reason)",
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
