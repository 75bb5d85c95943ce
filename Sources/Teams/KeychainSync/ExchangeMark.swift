internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem
internal import LanyardSecrets
internal import SyncEngine

/// What a keychain, its replica and the server were like after an exchange that left nothing to do. While they are
/// still so, the next exchange is one question to the server, or two.
struct ExchangeMark {
    /// The team, and its server's address.
    let team: Identifier
    let address: String
    /// The versions of the keychain's file and of the replica's.
    let keychain: FileVersion
    let replica: FileVersion
    /// How far the server was.
    let head: ServerHead
    /// The record that changed last there: a server that lost something can be as far again with other changes.
    let lastRecord: Replica.LastRecord?
    /// When that was.
    var date: Timestamp

    private static let format: UInt8 = 2
    private static let sizeLimit = 4096

    /// Two writes may have one time: a file that has just changed can't be recognized by its version.
    static let quietSeconds: Int64 = 2

    private static func associatedData(_ place: SharedKeychain.Place) -> [UInt8] {
        [format] + Array("lanyard team mark".utf8) + Array(place.name.utf8)
    }

    /// Writes the file in one step.
    func write(to place: SharedKeychain.Place, under key: borrowing Secret) throws(KeychainError) {
        var writer = ByteWriter()
        writer.raw(team.bytes)
        writer.counted(Array(address.utf8))
        keychain.append(to: &writer)
        replica.append(to: &writer)
        writer.number(head.sequence)
        writer.number(head.rosterCount)
        writer.number(UInt8(lastRecord == nil ? 0 : 1))
        lastRecord?.append(to: &writer)
        writer.number(date.secondsSinceEpoch)
        let box = try SealedBox.seal(
            writer.bytes.span, under: key, associatedData: ExchangeMark.associatedData(place))
        // Without it an exchange takes longer: it need not be on the disk.
        try PrivatePlace.replaceFile(
            place.mark, ([ExchangeMark.format] + box).span, syncsFile: false, syncsFolder: false)
    }

    /// Reads the file.
    ///
    /// - Returns: nil if there is none of this keychain in this form.
    init?(_ place: SharedKeychain.Place, under key: borrowing Secret) {
        guard
            let file = try? PrivatePlace.readIfThere(place.mark, limit: ExchangeMark.sizeLimit),
            let mark = try? ExchangeMark(file, place, under: key)
        else {
            return nil
        }
        self = mark
    }

    private init(
        _ file: borrowing Secret, _ place: SharedKeychain.Place, under key: borrowing Secret
    ) throws(KeychainError) {
        let opened = try file.withBytes { bytes throws(KeychainError) in
            guard bytes.count > 0, bytes[0] == ExchangeMark.format else {
                throw KeychainError(.wrongVersion)
            }
            return try SealedBox.open(
                bytes.extracting(droppingFirst: 1), under: key,
                associatedData: ExchangeMark.associatedData(place))
        }
        var reader = ByteReader(opened.withBytes { ByteString(copying: $0).bytes })
        team = try Identifier(reading: &reader)
        address = String(decoding: try reader.counted(), as: UTF8.self)
        keychain = try FileVersion(reading: &reader)
        replica = try FileVersion(reading: &reader)
        head = ServerHead(sequence: try reader.number(), rosterCount: try reader.number())
        lastRecord =
            try reader.number(UInt8.self) == 1 ? try Replica.LastRecord(reading: &reader) : nil
        date = Timestamp(secondsSinceEpoch: try reader.number())
        try reader.end()
    }

    init(
        _ team: Identifier, at address: String, keychain: FileVersion, replica: FileVersion,
        head: ServerHead, lastRecord: Replica.LastRecord?, date: Timestamp
    ) {
        self.team = team
        self.address = address
        self.keychain = keychain
        self.replica = replica
        self.head = head
        self.lastRecord = lastRecord
        self.date = date
    }

    /// Whether the server is still as it was.
    func isOf(_ server: any SyncTransport) throws(KeychainError) -> Bool {
        guard try server.head() == head else {
            return false
        }
        return try lastRecord?.isPresent(on: server) ?? true
    }

    /// Whether the files here are still the same.
    func isValid(_ place: SharedKeychain.Place) -> Bool {
        guard let file = place.keychainFile else {
            return false
        }
        return (try? FileVersion(at: file)) == keychain && isOfReplica(place)
    }

    /// Whether the replica is still the same.
    func isOfReplica(_ place: SharedKeychain.Place) -> Bool {
        (try? FileVersion(at: place.file)) == replica
    }
}
