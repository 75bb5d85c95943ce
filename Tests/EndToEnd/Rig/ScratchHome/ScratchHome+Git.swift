import Foundation
import Testing

extension ScratchHome {
    /// Tells git to use the helper, and only it, and never to prompt.
    func configureGit() async throws {
        _ = try write(
            """
            [credential]
                helper = lanyard
            [user]
                name = Ada
                email = ada@example.com
            [init]
                defaultBranch = main
            [http]
                proxy =

            """, to: "gitconfig")
    }

    /// Runs git, without a way to prompt.
    func git(_ arguments: String...) async throws -> Outcome {
        try await command("git", arguments).run()
    }

    /// Runs git, with a user who answers its questions for a name and a password.
    ///
    /// - Returns: How it ended, and the questions.
    func git(
        _ arguments: String..., asking user: String, _ password: String
    ) async throws -> (outcome: Outcome, questions: [String]) {
        let questions = "\(path)/questions-\(UUID().uuidString)"
        let answers = try write(
            """
            #!/bin/sh
            printf '%s\\n' "$1" >>'\(questions)'
            case $1 in
            Username*) echo '\(user)' ;;
            Password*) echo '\(password)' ;;
            esac

            """, to: "answers-\(UUID().uuidString)", mode: 0o700)
        let outcome = try await command(
            "git", arguments, variables: ["GIT_ASKPASS": answers]
        ).run()
        let asked = (try? String(contentsOfFile: questions, encoding: .utf8)) ?? ""
        return (outcome, asked.split(separator: "\n").map(String.init))
    }

    /// The commit that a name means.
    func commit(_ name: String, in repository: String) async throws -> String {
        try await succeeds("git", "-C", repository, "rev-parse", name).outputText
    }

    /// Adds a commit to a repository on the server, as a colleague would.
    func aColleagueWrites(in repository: String) async throws {
        try await shell(
            """
            cd "$1"
            export GIT_AUTHOR_NAME=B GIT_AUTHOR_EMAIL=b@example.com
            export GIT_COMMITTER_NAME=B GIT_COMMITTER_EMAIL=b@example.com
            git update-ref refs/heads/main "$(git commit-tree -p main -m more 'main^{tree}')"
            """, repository)
    }
}
