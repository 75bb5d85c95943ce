internal import ArgumentParser
internal import LanyardPrompting
internal import LanyardTransfer
internal import KeychainServices

/// `lanyard import git-helper`.
struct ImportGitHelperCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git-helper", abstract: "Import logins from one of git's credential helpers.",
        discussion: "A helper can't list its logins, so name each URL."
    ).examples(
        "lanyard import git-helper libsecret https://github.com https://gitlab.com",
        "lanyard import git-helper 'cache --timeout 900' https://ada@example.com")

    @Argument(help: "The helper as in git's credential.helper: a name, a path, or ! and a command.")
    var helper: String
    @Argument(help: "The URLs to ask it for: https://[user@]host[:port][/path].")
    var urls: [String]
    @OptionGroup var time: AnswerTimeOption
    @OptionGroup var options: ImportOptions

    func run() throws {
        guard !helper.isEmpty else {
            throw KeychainError(.param, "the helper has no name")
        }
        var places: [GitPlace] = []
        for url in urls {
            places.append(try place(url))
        }
        try options.run(
            GitHelperSource(helper, places, timeLimit: try time.seconds),
            answering: .keychainFirst)
    }

    private func place(_ url: String) throws(KeychainError) -> GitPlace {
        let attributes = try ItemName(url, account: nil).attributes
        guard let scheme = attributes.protocol?.scheme, let server = attributes.server,
            !server.isEmpty
        else {
            throw KeychainError(.param, "'\(url)' is not a URL with a host")
        }
        let port = attributes.port.flatMap { $0 == 0 ? nil : $0 }
        var path = attributes.path.flatMap { $0.isEmpty ? nil : $0 }
        // As git does.
        if path != nil, scheme == "https" || scheme == "http", try !usesPath(url) {
            path = nil
        }
        return GitPlace(
            protocol: scheme,
            host: port.map { ByteString(server.bytes + Array(":\($0)".utf8)) } ?? server,
            path: path, username: attributes.account)
    }

    /// Whether git is configured to request a login for each path on a web server instead of one for the
    /// server.
    private func usesPath(_ url: String) throws(KeychainError) -> Bool {
        guard let git = try programPath("git") else {
            return false
        }
        let program = AskedProgram(
            "git", path: git,
            ["config", "--type=bool", "--get-urlmatch", "credential.useHttpPath", url],
            timeLimit: 10)
        let answer = try program.answer(limit: 1024)
        return answer.status == 0 && answer.text.isEqual(to: Secret("true\n"))
    }
}

/// `lanyard import docker-helper`.
struct ImportDockerHelperCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker-helper",
        abstract: "Import every login of one of docker's credential helpers."
    ).examples(
        "lanyard import docker-helper pass --dry-run",
        "lanyard import docker-helper secretservice")

    @Argument(help: "The helper as in docker's credsStore: NAME of docker-credential-NAME.")
    var helper: String
    @OptionGroup var time: AnswerTimeOption
    @OptionGroup var options: ImportOptions

    func run() throws {
        guard !helper.isEmpty, !helper.contains("/") else {
            throw KeychainError(.param, "'\(helper)' is not a valid helper name")
        }
        try options.run(
            try DockerHelperSource(helper, timeLimit: try time.seconds),
            answering: .keychainFirst)
    }
}
