internal import LanyardTransfer
internal import ToolSetup

/// Finds files in which tools have left plain-text logins.
struct PlainTextFilesCheck: Check {
    static let name = "plain text"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        var findings: [Finding] = []
        for file in PlainTextLeftover.all(context.environment) {
            let what: FindingText =
                "'\(path: file.path)' contains logins in plain text (\(file.logins))"
            switch file.kind {
            case .gitCredentials:
                findings.append(
                    finding(.plainTextGit, what, file, GitCredentialsFile(), context) {
                        gitCommand(file, context)
                    })
            case .dockerConfig:
                findings.append(
                    finding(.plainTextDocker, what, file, DockerConfigFile(), context) {
                        dockerCommand(file, context)
                    })
            case .netrc:
                findings.append(
                    Finding(
                        .plainTextNetrc, what,
                        advice: file.hasOnlyDefault
                            ? "\(plain: PlainTextLeftover.adviceOnDefault)"
                            : "for git: lanyard import netrc; leave what curl and others need"
                    ))
            // Another check names those of tools with a file of settings.
            case .tool: break
            }
        }
        return findings
    }

    /// - Parameter command: The command for a file that its tool still uses; nil if it uses it no more.
    private func finding(
        _ code: FindingCode, _ what: FindingText, _ file: PlainTextLeftover,
        _ format: any ImportFormat, _ context: DiagnosisContext, command: () -> FindingText?
    ) -> Finding {
        if let command = command() {
            return Finding(code, what, command: command)
        }
        let removal = PlainTextFilesCheck.removal(file)
        let records =
            (try? PlainTextFile(file.path, isForChange: false))
            .map { PlainTextObstacle.records($0.bytes, format) } ?? []
        let advice = PlainTextObstacle.advice(records, removal, differs: context.differs)
        return advice.map { Finding(code, what, advice: $0) }
            ?? Finding(code, what, command: removal)
    }

    /// Returns the command for a file that git still uses: it copies the logins, sets git up, and takes them out of the
    /// file. Nil if git is set up.
    private func gitCommand(
        _ file: PlainTextLeftover, _ context: DiagnosisContext
    ) -> FindingText? {
        let configuration = try? GitConfiguration(context.environment)
        guard configuration?.isSetUp != true else {
            return nil
        }
        let others = LoginsToCopy.ofGit(context.environment)
        let this = LoginsToCopy.file(.gitCredentials, path: file.path)
        return ([this] + others.filter { $0 != this }).copying(
            before: "lanyard setup git --yes && \(PlainTextFilesCheck.removal(file))")
    }

    /// Returns the same for a file that docker, podman, skopeo or buildah still use.
    private func dockerCommand(
        _ file: PlainTextLeftover, _ context: DiagnosisContext
    ) -> FindingText? {
        let logins = (try? LoginsToCopy.ofDocker(context.environment)) ?? []
        return logins.contains(.file(.dockerConfig, path: file.path))
            ? logins.copying(
                before: "lanyard setup docker --yes && \(PlainTextFilesCheck.removal(file))") : nil
    }

    private static func removal(_ file: PlainTextLeftover) -> FindingText {
        "lanyard import \(plain: file.kind.rawValue) --remove-plain-text \(quoted: file.path)"
    }
}
