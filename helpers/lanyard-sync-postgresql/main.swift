import PostgreSQLSync
import SyncPlugin

let name = "lanyard-sync-postgresql"
let help = """
    usage: \(name) [--help|--version]

    Exchanges a team's items with a PostgreSQL server. Lanyard starts it, and
    talks to it on standard input as lanyard-sync-plugin(7) describes.

    example:
      lanyard team create postgres://team@db.example.com/keys
    """

runSyncPlugin(PostgreSQLTransport.self, name: name, help: help)
