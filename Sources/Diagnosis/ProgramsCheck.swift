internal import LinuxSystem
internal import ToolSetup

/// Lanyard's own programs where the tools look for them: along PATH.
struct ProgramsCheck: Check {
    static let name = "helper programs"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        var findings: [Finding] = []
        if context.has(.git) {
            findings += await look(for: "git-credential-lanyard", .git, context)
        }
        if context.has(.docker, .podman, .skopeo, .buildah) {
            findings += await look(for: "docker-credential-lanyard", .docker, context)
        }
        return findings
    }

    private func look(
        for helper: String, _ tool: Tool, _ context: DiagnosisContext
    ) async -> [Finding] {
        let environment = context.environment
        guard let path = await path(of: helper, tool, environment) else {
            return await isNeeded(tool, context) ? [missing(helper, tool, environment)] : []
        }
        guard let answer = try? await ForeignProgram(path, environment).run(["--version"]) else {
            return []
        }
        let words = String(decoding: answer.output, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        let version = words.last.map { String($0) } ?? "an unknown version"
        guard version != LinuxSystem.version else {
            return []
        }
        return [
            Finding(
                .helperOtherVersion,
                "'\(path: path)' is \(said: version), lanyard is \(plain: LinuxSystem.version)",
                advice: "install all programs of one version, and remove the others")
        ]
    }

    private func path(
        of helper: String, _ tool: Tool, _ environment: SetupEnvironment
    ) async -> String? {
        if let path = environment.path(ofProgram: helper) {
            return path
        }
        // git looks in a folder of its own, too.
        guard tool == .git,
            let answer = try? await ForeignProgram("git", environment).run(["--exec-path"]),
            let folder = String(decoding: answer.output, as: UTF8.self)
                .split(whereSeparator: \.isNewline).first
        else {
            return nil
        }
        let path = "\(folder)/\(helper)"
        return SystemCalls.isExecutable(path) ? path : nil
    }

    /// Whether a tool looks for its helper by its name.
    private func isNeeded(_ tool: Tool, _ context: DiagnosisContext) async -> Bool {
        guard tool == .git else {
            return true
        }
        let configuration = try? await GitConfiguration(context.environment)
        let ours = configuration?.helpers.filter(\.helper.isLanyard) ?? []
        let paths = ours.compactMap { $0.helper.words.first }
            .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("/") }
        return ours.isEmpty || paths.isEmpty || !paths.allSatisfy(SystemCalls.isExecutable)
    }

    private func missing(
        _ helper: String, _ tool: Tool, _ environment: SetupEnvironment
    ) -> Finding {
        let what: FindingText = "\(plain: helper) is not on the PATH, where tools look for it"
        guard let neighbour = environment.path(ofNeighbour: helper),
            let folder = PrivatePlace.parent(of: neighbour)
        else {
            return Finding(
                .helperNotFound, what, advice: "install it, or add its folder to PATH")
        }
        return tool == .git
            ? Finding(.helperNotFound, what, command: "lanyard setup git")
            : Finding(
                .helperNotFound, what, command: "export PATH=\"$PATH:\"\(quoted: folder)")
    }
}
