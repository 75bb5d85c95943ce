internal import KeychainServices

extension ToolHelper {
    /// Talks to NuGet, which gives the argument `-Plugin`.
    static let nuget = ToolHelper(
        help: """
            usage: nuget-plugin-lanyard [--keychain NAME] -Plugin
                   nuget-plugin-lanyard --help|--version

            Gives NuGet logins to package sources from an encrypted keychain.

            examples:
              lanyard set --for nuget https://nuget.example.com/v3/index.json ada
              dotnet restore
            """, accessGroups: AccessGroups(NuGetPlugin.accessGroup)
    ) { session throws(KeychainError) in
        guard session.arguments == ["-Plugin"] else {
            throw session.wrongUsage("NuGet starts this program, with -Plugin")
        }
        // NuGet waits 5 seconds, too few for an answer.
        session.forbidQuestions()
        try NuGetPlugin(session).run()
    }
}
