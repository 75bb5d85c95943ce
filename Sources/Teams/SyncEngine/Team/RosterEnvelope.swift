internal import LanyardCryptography
internal import LanyardSecrets

/// What each entry of a roster begins and ends with, in this form and in all later ones: an older program can tell whether
/// an owner signed an entry that it can't read.
struct RosterEnvelope: Sendable {
    /// The form of the content.
    let format: UInt8
    /// The team; all zeros in its first entry, whose digest the team's id is.
    let team: [UInt8]
    /// The number of entries before this one.
    let position: UInt64
    /// The digest of the previous entry, 32 bytes; zeros in the first.
    let previous: [UInt8]
    /// The device that signed.
    let author: Identifier
    /// When the author signed, by its own clock.
    let date: Timestamp
    /// The stored form.
    let bytes: [UInt8]
    /// The digest that the next entry names, 32 bytes.
    let digest: [UInt8]

    /// The form of the entries that this program makes. Keys of other kinds come with a later one.
    static let format: UInt8 = 1

    static let label = Array("lanyard roster entry".utf8)
    private static let headSize =
        1 + Identifier.size + 8 + KeyedDigest.size + Identifier.size + 8

    /// Signs a content.
    init(
        team: [UInt8], position: UInt64, previous: [UInt8], date: Timestamp, _ content: [UInt8],
        by author: DeviceIdentity
    ) {
        (format, self.team, self.position) = (RosterEnvelope.format, team, position)
        (self.previous, self.author, self.date) = (previous, author.id, date)
        var writer = ByteWriter()
        writer.number(format)
        writer.raw(team)
        writer.number(position)
        writer.raw(previous)
        writer.raw(author.id.bytes)
        writer.number(date.secondsSinceEpoch)
        writer.raw(content)
        writer.raw(author.sign(RosterEnvelope.label + writer.bytes))
        let bytes = writer.bytes
        self.bytes = bytes
        digest = KeyedDigest.plain(bytes.span)
    }

    /// Reads an envelope. The signature is not checked yet.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        guard bytes.count <= SyncLimits.givenSize,
            bytes.count >= RosterEnvelope.headSize + SigningKey.signatureSize
        else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(Array(bytes.prefix(RosterEnvelope.headSize)))
        format = try reader.number()
        team = try reader.raw(Identifier.size)
        position = try reader.number()
        previous = try reader.raw(KeyedDigest.size)
        author = try Identifier(reading: &reader)
        date = Timestamp(secondsSinceEpoch: try reader.number())
        self.bytes = bytes
        digest = KeyedDigest.plain(bytes.span)
    }

    /// Whether its author leaves, if the content can be read.
    var isLeave: Bool {
        format == RosterEnvelope.format
            && bytes.count == RosterEnvelope.headSize + 1 + SigningKey.signatureSize
            && bytes[RosterEnvelope.headSize] == RosterEntry.Change.leaveMark
    }

    /// What it says.
    var content: [UInt8] {
        Array(bytes.dropFirst(RosterEnvelope.headSize).dropLast(SigningKey.signatureSize))
    }

    /// Whether the owner of a card signed it.
    func isSigned(by card: DeviceCard) -> Bool {
        card.id == author
            && SigningKey.isValid(
                Array(bytes.suffix(SigningKey.signatureSize)),
                of: RosterEnvelope.label + bytes.dropLast(SigningKey.signatureSize),
                by: card.signingKey)
    }
}
