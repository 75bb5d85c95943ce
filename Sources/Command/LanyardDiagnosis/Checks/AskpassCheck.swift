internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// Checks the program that git asks if no helper has a login.
struct AskpassCheck: GitCheck, SingleCheck {
    static let name = "askpass programs"

    /// Limits the size of scripts to inspect.
    private static let scriptLimit = 4096

    func finding(_ context: DiagnosisContext) -> Finding? {
        let environment = context.environment
        if let program = environment.value("GIT_ASKPASS") {
            return finding(program, set: "GIT_ASKPASS", "unset GIT_ASKPASS", environment)
        }
        let configuration = try? GitConfiguration(environment)
        if let configuration,
            let entry = configuration.entries.last(where: {
                $0.key.elementsEqual("core.askpass".utf8)
            }), let value = entry.value, !value.isEmpty
        {
            let command = configuration.unset("core.askPass", scope: entry.scope)
            return finding(
                value.name, set: "core.askPass", command, environment)
        }
        if let program = environment.value("SSH_ASKPASS") {
            return finding(program, set: "SSH_ASKPASS", "unset SSH_ASKPASS", environment)
        }
        return nil
    }

    private func finding(
        _ program: String, set name: String, _ command: FindingText?,
        _ environment: SetupEnvironment
    ) -> Finding? {
        let path =
            program.hasPrefix("/") ? program : environment.path(ofProgram: program) ?? program
        guard SystemCalls.isExecutable(path) else {
            let what: FindingText = "\(plain: name) names '\(path: path)', which can't be run"
            return command.map { Finding(.askpassMissing, what, command: $0) }
                ?? Finding(.askpassMissing, what, advice: "remove the setting")
        }
        guard let bytes = (try? TargetFile(path))?.bytes, AskpassCheck.isAnswer(bytes) else {
            return nil
        }
        return Finding(
            .askpassScript, "\(plain: name) names the script '\(path: path)'",
            advice:
                "store the password that it prints (lanyard set), then \(command ?? "remove the setting")"
        )
    }

    /// Whether a program is a short script that prints a text of its own.
    static func isAnswer(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count <= scriptLimit, bytes.starts(with: "#!".utf8) else {
            return false
        }
        return bytes.split(separator: 0x0A).dropFirst().contains { line in
            guard line.first != UInt8(ascii: "#") else {
                return false
            }
            return ["echo ", "printf "].contains { command in
                line.firstRange(of: command.utf8).map { printsText(line[$0.upperBound...]) }
                    ?? false
            }
        }
    }

    /// Whether a command with these arguments prints more than a line's end: scripts that let git fail print nothing.
    private static func printsText(_ arguments: some Collection<UInt8>) -> Bool {
        arguments.prefix { $0 != UInt8(ascii: ";") }.split(separator: UInt8(ascii: " ")).contains {
            let word = $0.filter { !"\"'".utf8.contains($0) }
            return !["", "-n", "\\n", "%s", "%s\\n"].contains { word.elementsEqual($0.utf8) }
        }
    }
}
