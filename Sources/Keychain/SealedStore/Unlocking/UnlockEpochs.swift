internal import LinuxSystem
internal import KeychainServices

/// Random bytes that are part of what unlocks a keychain for all programs, one value for each of
/// its two entries in the kernel's keyring. `lock` replaces them, which makes copies of older
/// entries useless.
struct UnlockEpochs: Equatable {
    /// For keys that need an unlocked keychain, 32 bytes.
    private(set) var unlocked: [UInt8]
    /// For keys that need a first unlock, 32 bytes.
    private(set) var firstUnlock: [UInt8]

    static let size = 32

    /// Creates random ones.
    init() throws(KeychainError) {
        unlocked = try RandomBytes.make(UnlockEpochs.size)
        firstUnlock = try RandomBytes.make(UnlockEpochs.size)
    }

    /// Reads the form that ``encode(to:)`` writes.
    init(from reader: inout ByteReader) throws(KeychainError) {
        unlocked = try reader.raw(UnlockEpochs.size)
        firstUnlock = try reader.raw(UnlockEpochs.size)
    }

    /// Appends both, in this order.
    func encode(to writer: inout ByteWriter) {
        writer.raw(unlocked)
        writer.raw(firstUnlock)
    }

    subscript(_ kind: KeyCacheEntry.Kind) -> [UInt8] {
        kind == .firstUnlock ? firstUnlock : unlocked
    }

    /// Replaces them.
    ///
    /// - Parameter firstUnlock: Whether to replace that of the first unlock, too.
    mutating func renew(firstUnlock includesFirstUnlock: Bool) throws(KeychainError) {
        unlocked = try RandomBytes.make(UnlockEpochs.size)
        if includesFirstUnlock {
            firstUnlock = try RandomBytes.make(UnlockEpochs.size)
        }
    }
}
