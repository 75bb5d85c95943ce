internal import LanyardCryptography
package import LanyardSecrets

/// What an invitation says of a team: its id, and the last entry of the roster as its sender knows it. From the id alone, a
/// server could show the roster before an owner was removed, who then goes on from there.
package struct Invitation: Sendable {
    /// The team.
    package let team: Identifier
    /// The beginning of the entry's digest.
    private let entry: [UInt8]

    private static let entrySize = 10
    private static let codeCount = 42

    /// Creates an invitation to a team.
    package init(to roster: Roster) {
        team = roster.team
        entry = Array(roster.lastDigest.prefix(Invitation.entrySize))
    }

    /// Creates the invitation of a ``code``, whatever its letter case, blanks and dashes; I and L mean 1, O means 0.
    ///
    /// - Throws: ``Status/param`` for anything else.
    package init(code: String) throws(KeychainError) {
        guard let digits = CrockfordBase32.digits(of: Secret(code)),
            digits.count == Invitation.codeCount
        else {
            throw KeychainError(
                .param, "'\(code)' is not the code of an invitation",
                hint: "copy all of it: lanyard team invite prints it")
        }
        let bytes = digits.withBytes { CrockfordBase32.bytes(of: $0) }
        var reader = ByteReader(bytes.withBytes { ByteString(copying: $0).bytes })
        team = try Identifier(reading: &reader)
        entry = try reader.raw(Invitation.entrySize)
    }

    /// 42 characters of Crockford's base32 alphabet, in groups of 4.
    package var code: String { SpokenCode.groups(team.bytes + entry, Invitation.codeCount) }

    /// Reads the team's roster from its server.
    ///
    /// - Throws: ``Status/itemNotFound`` if the server does not have the team; ``Status/decode`` if it shows
    ///   another one, or the roster lacks the entry or was tampered with; what the transport throws.
    package func roster(from transport: any SyncTransport) throws(KeychainError) -> Roster {
        let roster = try Roster(of: team, from: transport, with: entry)
        guard roster.entries.contains(where: { $0.digest.starts(with: entry) }) else {
            throw KeychainError(
                .decode,
                "the team's server does not show a change of the team that the invitation names",
                hint: "don't trust this server: ask who invited you")
        }
        return roster
    }
}
