internal import KeychainServices

/// The record of the keychain with a name.
struct AnchorContent: Equatable {
    /// The keychain's id, 16 bytes: another keychain under this name is refused.
    let keychainID: [UInt8]
    /// The generation of the keybag.
    let generation: UInt64
    /// The number of the last change of the items.
    let change: Int64
    /// The generation of the class key of whenUnlocked, nil without a passphrase. A key from before
    /// the passphrase vouches for nothing, because an old recovery key may still open it.
    let vouching: UInt32?
    /// While the passphrase is being removed, the digest of the keybag without it.
    var next: [UInt8]?
    /// Whether the keychain is being created: its file may not exist yet.
    var isNew = false
    /// Nil until the first write.
    var epochs: UnlockEpochs?

    init(_ keybag: Keybag, change: Int64, epochs: UnlockEpochs?) {
        self.change = change
        keychainID = keybag.keychainID
        generation = keybag.generation
        vouching =
            keybag.hasPassphrase
            ? keybag.classKey(.secrets(.whenUnlocked))?.id.generation ?? 0 : nil
        self.epochs = epochs
    }

    /// Whether a keybag or a change of the items is newer than this record.
    func isBehind(_ keybag: Keybag, change: Int64) -> Bool {
        generation < keybag.generation || self.change < change || next != nil || isNew
    }

    /// The size of the stored form in bytes.
    static let size = 2 + 1 + 16 + 8 + 8 + 4 + 32 + 2 * UnlockEpochs.size

    private static let hasPassphraseFlag: UInt8 = 1
    private static let hasNextFlag: UInt8 = 2
    private static let isNewFlag: UInt8 = 4

    /// Returns the stored form.
    ///
    /// It has version (2 bytes, 2), flags (1), keychain id (16), generation (8) and number of the
    /// last change (8). Then follow the generation of the class key of whenUnlocked (4), the digest
    /// of the keybag to come (32) and the two epochs (32 each). Missing values are all zeros.
    func encoded(_ epochs: UnlockEpochs) -> [UInt8] {
        var writer = ByteWriter(capacity: AnchorContent.size)
        writer.number(UInt16(2))
        writer.number(
            (vouching == nil ? 0 : AnchorContent.hasPassphraseFlag)
                | (next == nil ? 0 : AnchorContent.hasNextFlag)
                | (isNew ? AnchorContent.isNewFlag : 0))
        writer.raw(keychainID)
        writer.number(generation)
        writer.number(change)
        writer.number(vouching ?? 0)
        writer.raw(next ?? AnchorContent.none)
        epochs.encode(to: &writer)
        return writer.bytes
    }

    private static let none = [UInt8](repeating: 0, count: 32)

    /// Reads the stored form.
    ///
    /// - Throws: ``Status/decode`` if it is invalid.
    init(decoding bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt16.self) == 2 else {
            throw KeychainError(.decode)
        }
        let flags = try reader.number(UInt8.self)
        keychainID = try reader.raw(16)
        generation = try reader.number()
        change = try reader.number()
        let vouching = try reader.number(UInt32.self)
        let next = try reader.raw(32)
        let epochs = try UnlockEpochs(from: &reader)
        self.vouching = flags & AnchorContent.hasPassphraseFlag == 0 ? nil : vouching
        self.next = flags & AnchorContent.hasNextFlag == 0 ? nil : next
        isNew = flags & AnchorContent.isNewFlag != 0
        self.epochs = epochs
        try reader.end()
        guard encoded(epochs) == bytes else {
            throw KeychainError(.decode)
        }
    }
}
