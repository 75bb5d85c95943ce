package import Secrets

extension Roster {
    /// Reads the roster of a team from its server.
    ///
    /// - Parameter team: The team's id, from a member and not from the server.
    /// - Throws: ``Status/itemNotFound`` if the server does not have the team; ``Status/decode`` if it shows
    ///   another one, or the roster was tampered with; what the transport throws.
    package init(
        of team: Identifier, from transport: any SyncTransport
    ) throws(KeychainError) {
        // The records come with the first exchange.
        let head = try transport.head()
        let since = ServerHead(sequence: head.sequence, rosterCount: 0)
        let changes = try transport.changes(since: since)
        guard let first = changes.roster.first else {
            throw KeychainError(
                .itemNotFound, "there is no such team on this server",
                hint: "compare the invitation with the one that the team's member has")
        }
        let roster = try Roster(try RosterEntry(first))
        guard roster.team == team else {
            throw KeychainError(
                .decode, "the team on this server is not the one that invited you",
                hint: "don't trust this server: ask who invited you")
        }
        var reading = try RosterReading(roster, afterKnown: false)
        try transport.read(changes, since: since, &reading)
        self = try reading.finish() ?? roster
    }
}
