import GitSync
import SyncPlugin

let name = "lanyard-sync-git"
let help = """
    usage: \(name) [--help|--version]

    Exchanges a team's items with a git repository. Lanyard starts it, and talks
    to it on standard input as lanyard-sync-plugin(7) describes.

    example:
      lanyard team create https://git.example.com/team/keys.git
    """

runSyncPlugin(GitTransport.self, name: name, help: help)
