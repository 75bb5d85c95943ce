internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup
internal import ToolHelpers

/// Checks lanyard's own programs in PATH, where the tools look for them.
struct ProgramsCheck: Check {
    static let name = "helper programs"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        var findings: [Finding] = []
        if context.has(.git) {
            findings += look(for: GitSetup.helper, .git, context)
        }
        if context.has(.docker, .podman, .skopeo, .buildah) {
            findings += look(for: DockerSetup.helper, .docker, context)
        }
        return findings + otherVersions(context.environment)
    }

    private func look(
        for helper: String, _ tool: Tool, _ context: DiagnosisContext
    ) -> [Finding] {
        let environment = context.environment
        let configured = configuredPaths(tool, environment)
        if let gone = configured.first(where: { !SystemCalls.isExecutable($0) }) {
            return [
                Finding(
                    .helperNotFound, "git's helper '\(path: gone)' is missing",
                    command: context.setupGit())
            ]
        }
        guard let path = path(of: helper, environment) else {
            return configured.isEmpty ? [missing(helper, tool, context)] : []
        }
        return inJobs(helper, path, tool, context).map { [$0] } ?? []
    }

    /// Returns the paths of lanyard's helper in git's configuration.
    private func configuredPaths(
        _ tool: Tool, _ environment: SetupEnvironment
    ) -> [String] {
        guard tool == .git else {
            return []
        }
        let helpers = (try? GitConfiguration(environment))?.inForce ?? []
        return helpers.filter(\.helper.isLanyard).compactMap(\.helper.program)
            .filter { $0.hasPrefix("/") }
    }

    /// Checks for a helper that is found here, but not with cron's PATH for jobs.
    private func inJobs(
        _ helper: String, _ path: String, _ tool: Tool, _ context: DiagnosisContext
    ) -> Finding? {
        let environment = context.environment
        guard tool == .git else {
            let folder = PrivatePlace.folder(of: path)
            return environment.jobsFind(helper)
                ? nil
                : Finding(
                    .dockerHelperNotInJobs,
                    "docker and podman look for \(plain: helper) only on PATH",
                    advice: "add '\(path: folder)' to the PATH of those jobs")
        }
        let helpers = (try? GitConfiguration(environment))?.inForce ?? []
        let isByName = helpers.contains {
            $0.helper.isLanyard && $0.helper.program?.hasPrefix("/") == false
        }
        guard isByName, !GitProgram(environment: environment).findsInJobs(helper) else {
            return nil
        }
        return Finding(
            .helperNotInJobs, "git looks for \(plain: helper) on PATH",
            command: context.setupGit())
    }

    /// Looks for copies of another version among the helpers that tools find; one of a folder is enough.
    private func otherVersions(_ environment: SetupEnvironment) -> [Finding] {
        var folders: Set<String> = []
        return ToolFormat.all.compactMap { tool in
            let neighbour = environment.path(ofNeighbour: tool.helper)
            guard let path = path(of: tool.helper, environment),
                let folder = PrivatePlace.parent(of: path), !folders.contains(folder),
                neighbour.flatMap(SystemCalls.realPath) != SystemCalls.realPath(path),
                let finding = otherVersion(path, environment)
            else {
                return nil
            }
            folders.insert(folder)
            return finding
        }
    }

    private func otherVersion(
        _ path: String, _ environment: SetupEnvironment
    ) -> Finding? {
        guard let answer = try? ForeignProgram(path, environment).run(["--version"]) else {
            return nil
        }
        let words = String(decoding: answer.output, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        let version = words.last.map { String($0) } ?? "an unknown version"
        guard version != lanyardVersion else {
            return nil
        }
        return Finding(
            .helperOtherVersion,
            "'\(path: path)' is \(said: version), lanyard is \(plain: lanyardVersion)",
            advice: "remove it, or install the same version of all programs")
    }

    private func path(of helper: String, _ environment: SetupEnvironment) -> String? {
        helper == GitSetup.helper
            ? GitProgram(environment: environment).path(ofHelper: helper)
            : environment.path(ofProgram: helper)
    }

    private func missing(
        _ helper: String, _ tool: Tool, _ context: DiagnosisContext
    ) -> Finding {
        let environment = context.environment
        let what: FindingText = "\(plain: helper) is not on the PATH"
        guard let neighbour = environment.path(ofNeighbour: helper),
            let folder = PrivatePlace.parent(of: neighbour)
        else {
            return Finding(
                .helperNotFound, what, advice: "install it, or add its folder to PATH")
        }
        return tool == .git
            ? Finding(.helperNotFound, what, command: context.setupGit())
            : Finding(
                .helperNotFound, what, command: "export PATH=\"$PATH:\"\(quoted: folder)")
    }
}
