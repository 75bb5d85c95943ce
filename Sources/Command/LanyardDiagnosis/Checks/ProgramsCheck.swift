internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup
internal import ToolHelpers

extension Finding {
    /// A helper whose permissions forbid to run it.
    init(_ program: UnrunnableProgram) {
        let path = program.path
        self.init(
            .helperNotFound, "'\(path: path)' can't be run, as its permissions say",
            command: "\(plain: program.takesRoot ? "sudo " : "")chmod 755 \(quoted: path)")
    }
}

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
                broken(gone)
                    ?? Finding(
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

    /// Looks for copies of another version among the helpers that tools find, one finding for each folder.
    private func otherVersions(_ environment: SetupEnvironment) -> [Finding] {
        var folders: [String] = []
        var copies: [String: [(path: String, version: String)]] = [:]
        for tool in ToolFormat.all {
            let neighbour = environment.path(ofNeighbour: tool.helper)
            guard let path = path(of: tool.helper, environment),
                let folder = PrivatePlace.parent(of: path),
                neighbour.flatMap(SystemCalls.realPath) != SystemCalls.realPath(path),
                let version = otherVersion(path, environment)
            else {
                continue
            }
            if copies[folder] == nil {
                folders.append(folder)
            }
            copies[folder, default: []].append((path, version))
        }
        return folders.map { finding(copies[$0] ?? []) }
    }

    private func finding(_ copies: [(path: String, version: String)]) -> Finding {
        var what: FindingText = ""
        var command: FindingText = "rm"
        for (number, copy) in copies.enumerated() {
            let separator: FindingText = number == 0 ? "" : ", "
            what = "\(what)\(separator)'\(path: copy.path)' is \(said: copy.version)"
            command = "\(command) \(quoted: copy.path)"
        }
        return Finding(
            .helperOtherVersion, "\(what), lanyard is \(plain: lanyardVersion)", command: command)
    }

    /// Returns the version of a helper if it is not that of lanyard.
    private func otherVersion(_ path: String, _ environment: SetupEnvironment) -> String? {
        guard let answer = try? ForeignProgram(path, environment).run(["--version"]) else {
            return nil
        }
        let words = String(decoding: answer.output, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        let version = words.last.map { String($0) } ?? "an unknown version"
        return version == lanyardVersion ? nil : version
    }

    /// Returns a finding about a helper that is there and can't be started; nil if nothing is there.
    private func broken(_ path: String) -> Finding? {
        if let program = UnrunnableProgram(at: path) {
            return Finding(program)
        }
        guard let target = (try? SystemCalls.readLink(path)) ?? nil else {
            return nil
        }
        return Finding(
            .helperNotFound, "'\(path: path)' leads to '\(path: target)', which is missing",
            advice: "install lanyard again")
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
        let folders = (environment.value("PATH") ?? "").split(separator: ":")
        if let finding = folders.lazy.compactMap({ broken("\($0)/\(helper)") }).first {
            return finding
        }
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
