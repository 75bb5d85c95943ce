#if SecretService
internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// Keeps Lanyard's processes from deleting items of the Secret Service while others use it, and
/// from adding the same item twice at once. All other operations may run at the same time.
///
/// gnome-keyring's daemon sometimes crashes with a segmentation fault when an item is deleted while
/// another client asks about it. This can happen when several processes store the same new login at
/// once.
struct ServiceLock: ~Copyable {
    /// The operation that the lock protects.
    enum Kind {
        /// Reading and changing: any number at once.
        case using
        /// Adding an item: one for each identity, while others use the service.
        case adding(ItemIdentity)
        /// Deleting: only one, while no other process uses the service.
        case deleting
    }

    /// The locked bytes of the file. Those of identities follow these.
    private enum Place {
        static let use: Int64 = 0
        /// Locked by a process that waits to delete: no other one then begins to use the service.
        static let gate: Int64 = 1
        static let identities: Int64 = 2
    }

    private let file: Descriptor
    /// Whether the lock is taken: false if there is no file, or waiting took too long.
    private(set) var isTaken: Bool

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - folder: The folder of the locked file. If it is not its owner's alone, or its file
    ///     system has no locks, every operation proceeds without one.
    ///   - timeLimit: The most milliseconds to wait, because the other process may be asking the
    ///     user.
    init(_ kind: Kind, in folder: String?, timeLimit: Int64) {
        file = Descriptor(owning: folder.map { ServiceLock.open($0, kind) } ?? -1)
        isTaken = file.number != -1
        guard isTaken else {
            return
        }
        let end = Deadline(milliseconds: timeLimit)
        switch kind {
        case .using:
            share(until: end)
        case .adding(let identity):
            wait(for: Place.identities + ServiceLock.offset(of: identity), .exclusive, until: end)
            share(until: end)
        case .deleting:
            wait(for: Place.gate, .exclusive, until: end)
            wait(for: Place.use, .exclusive, until: end)
        }
    }

    private mutating func share(until end: Deadline) {
        wait(for: Place.gate, .shared, until: end)
        wait(for: Place.use, .shared, until: end)
        _ = try? SystemCalls.lock(byte: Place.gate, of: file.number, .none)
    }

    private mutating func wait(
        for byte: Int64, _ lock: SystemCalls.ByteLock, until end: Deadline
    ) {
        let isLocked = try? end.wait(every: 2) { () throws(SystemCallError) in
            try SystemCalls.lock(byte: byte, of: file.number, lock)
        }
        isTaken = isTaken && isLocked == true
    }

    /// Returns a byte for an identity by FNV-1a, the same in every process. All users of the
    /// machine can see which bytes are locked, so it only has 16 bits, which don't identify the
    /// item.
    private static func offset(of identity: ItemIdentity) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in identity.bytes {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return Int64(hash >> 48)
    }

    /// Opens the file. Only a change creates it: before the first one there is nothing to wait for.
    private static func open(_ runtimeFolder: String, _ kind: Kind) -> Int32 {
        do throws(KeychainError) {
            _ = try PinnedFolder(runtimeFolder)
            var flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
            var makesMissing = true
            if case .using = kind {
                makesMissing = false
            } else {
                flags |= O_CREAT
            }
            let folder = try PinnedFolder("\(runtimeFolder)/lanyard", makesMissing: makesMissing)
            let file = try? SystemCalls.open(
                "secret-service.lock", flags, mode: 0o600, in: folder.number)
            return file ?? -1
        } catch {
            return -1
        }
    }
}

/// A lock that may outlast the call that took it.
final class TakenTurn {
    /// The item that is added under it.
    let adds: ItemIdentity?
    private let turn: ServiceLock

    /// Waits for the lock.
    init(_ kind: ServiceLock.Kind, in folder: String?, timeLimit: Int64) {
        turn = ServiceLock(kind, in: folder, timeLimit: timeLimit)
        if case .adding(let identity) = kind {
            adds = identity
        } else {
            adds = nil
        }
    }

    /// Whether the lock is taken.
    var isTaken: Bool { turn.isTaken }
}
#endif
