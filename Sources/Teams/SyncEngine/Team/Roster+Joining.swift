package import LanyardSecrets

extension Roster {
    /// Reads the roster of a team from its server.
    ///
    /// - Parameters:
    ///   - team: The team's id, from a member and not from the server.
    ///   - known: The roster as it was before, from which this one has to go on.
    ///   - entry: The beginning of the digest of an entry that it has to have, if the server has one of that digest.
    /// - Throws: ``Status/itemNotFound`` if the server does not have the team; ``Status/decode`` if it shows
    ///   another one, or the roster was tampered with; ``Status/wrongVersion`` if an owner changed it in a later form; what
    ///   the transport throws.
    package init(
        of team: Identifier, from transport: any SyncTransport, after known: Roster? = nil,
        with entry: [UInt8] = []
    ) throws(KeychainError) {
        // The records come with the first exchange.
        let since = ServerHead.afterRecords(0)
        var reading =
            if let known {
                RosterReading(known)
            } else {
                RosterReading(of: team, with: entry)
            }
        try transport.read(try transport.changes(since: since), since: since, &reading)
        guard reading.hasFirst || known != nil else {
            throw reading.skipped == 0
                ? KeychainError(
                    .itemNotFound, "there is no such team on this server",
                    hint: "compare the invitation with the one that the team's member has")
                : KeychainError(
                    .decode, "the team on this server is not the one that invited you",
                    hint: "don't trust this server: ask who invited you")
        }
        let (roster, lacking) = try reading.finish()
        guard reading.later.isEmpty else {
            throw roster.newer(by: reading.later)
        }
        // The team's devices give those back that do not count.
        guard lacking.allSatisfy({ roster.isLost($0.digest) }) else {
            throw SyncEngine.incomplete
        }
        self = roster
    }
}
