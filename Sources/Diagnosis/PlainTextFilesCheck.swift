internal import ToolSetup

/// Files in which tools have left logins in plain text.
struct PlainTextFilesCheck: Check {
    static let name = "plain text"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        await PlainTextLeftover.all(context.environment).map { file in
            let code: FindingCode =
                switch file.kind {
                case .gitCredentials: .plainTextGit
                case .dockerConfig: .plainTextDocker
                case .netrc: .plainTextNetrc
                }
            return Finding(
                code, "'\(path: file.path)' holds logins in plain text (\(file.logins))",
                command:
                    "lanyard import \(plain: file.kind.rawValue) --remove-plain-text \(quoted: file.path)"
            )
        }
    }
}
