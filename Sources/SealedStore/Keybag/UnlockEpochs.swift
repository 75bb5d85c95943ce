internal import LinuxSystem
internal import KeychainServices

/// Random bytes that are part of what unlocks a keychain for all programs, one for each of its two
/// entries in the kernel's keyring. `lock` replaces them, so a copy of an entry that somebody puts back
/// opens nothing.
struct UnlockEpochs: Equatable {
    /// For what takes an unlocked keychain, 32 bytes.
    private(set) var unlocked: [UInt8]
    /// For what takes a first unlock, 32 bytes.
    private(set) var firstUnlock: [UInt8]

    static let size = 32

    /// New ones.
    init() throws(KeychainError) {
        unlocked = try RandomBytes.make(UnlockEpochs.size)
        firstUnlock = try RandomBytes.make(UnlockEpochs.size)
    }

    /// Reads ``encode(to:)``'s form.
    init(from reader: inout ByteReader) throws(KeychainError) {
        unlocked = try reader.raw(UnlockEpochs.size)
        firstUnlock = try reader.raw(UnlockEpochs.size)
    }

    /// Both, in this order.
    func encode(to writer: inout ByteWriter) {
        writer.raw(unlocked)
        writer.raw(firstUnlock)
    }

    subscript(_ kind: KeyCacheEntry.Kind) -> [UInt8] {
        kind == .unlocked ? unlocked : firstUnlock
    }

    /// Replaces them.
    ///
    /// - Parameter firstUnlock: Also that of the first unlock.
    mutating func renew(firstUnlock includesFirstUnlock: Bool) throws(KeychainError) {
        unlocked = try RandomBytes.make(UnlockEpochs.size)
        if includesFirstUnlock {
            firstUnlock = try RandomBytes.make(UnlockEpochs.size)
        }
    }
}
