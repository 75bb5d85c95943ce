import SyncPlugins

/// Exchanges a team's items with a PostgreSQL server, and exits.
func runPostgreSQLTransport() -> Never {
    runSyncPlugin(
        PostgreSQLTransport.self,
        name: "lanyard-sync-postgresql",
        help: """
            usage: lanyard-sync-postgresql [--help|--version]

            Exchanges a team's items with a PostgreSQL server. Lanyard starts it, and
            talks to it on standard input as lanyard-sync-plugin(7) describes.

            example:
              lanyard team create postgres://team@db.example.com/keys
            """)
}
