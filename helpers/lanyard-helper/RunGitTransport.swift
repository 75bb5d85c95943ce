import SyncPlugins

/// Exchanges a team's items with a git repository, and exits.
func runGitTransport() -> Never {
    runSyncPlugin(
        GitTransport.self,
        name: "lanyard-sync-git",
        help: """
            usage: lanyard-sync-git [--help|--version]

            Exchanges a team's items with a git repository. Lanyard starts it, and talks
            to it on standard input as lanyard-sync-plugin(7) describes.

            example:
              lanyard team create https://git.example.com/team/keys.git
            """)
}
