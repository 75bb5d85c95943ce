#if SecretService
internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// Keeps this program's processes from deleting items of the Secret Service while others of them use it, and
/// from adding the same item twice at once. They may do everything else at the same time.
///
/// gnome-keyring's daemon now and then ends with a segmentation fault when an item is deleted about which
/// another client asks in the same moment, as where several processes store the same new login at once.
struct ServiceLock: ~Copyable {
    /// What is done in it.
    enum Kind {
        /// Reading and changing: any number may at once.
        case using
        /// Adding an item: one may for each identity, beside those that use the service.
        case adding(ItemIdentity)
        /// Deleting: one may, and nobody uses the service meanwhile.
        case deleting
    }

    /// The bytes of the file that are locked. Identities have those behind.
    private enum Place {
        static let use: Int64 = 0
        /// Locked by who waits to delete: nobody else begins to use the service then.
        static let gate: Int64 = 1
        static let identities: Int64 = 2
    }

    private let descriptor: Int32
    /// Whether it was got: not where there is no file, or somebody else was waited for too long.
    private(set) var isTaken: Bool

    /// Waits for the turn.
    ///
    /// - Parameters:
    ///   - folder: Where the file is that is locked. Where there is none that is its owner's alone, or its
    ///     file system has no locks, it is always one's turn.
    ///   - timeLimit: After how many milliseconds nobody is waited for any longer: a person may be asked in
    ///     the other one's turn.
    init(_ kind: Kind, in folder: String?, timeLimit: Int64) {
        descriptor = folder.map { ServiceLock.open($0, kind) } ?? -1
        isTaken = descriptor != -1
        guard isTaken else {
            return
        }
        let end = SystemCalls.monotonicMilliseconds() + timeLimit
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

    private mutating func share(until end: Int64) {
        wait(for: Place.gate, .shared, until: end)
        wait(for: Place.use, .shared, until: end)
        _ = try? SystemCalls.lock(byte: Place.gate, of: descriptor, .none)
    }

    private mutating func wait(
        for byte: Int64, _ lock: SystemCalls.ByteLock, until end: Int64
    ) {
        var isLocked = try? SystemCalls.lock(byte: byte, of: descriptor, lock)
        while isLocked == false, SystemCalls.monotonicMilliseconds() < end {
            SystemCalls.sleep(milliseconds: 2)
            isLocked = try? SystemCalls.lock(byte: byte, of: descriptor, lock)
        }
        isTaken = isTaken && isLocked == true
    }

    /// FNV-1a, the same in every process. Everybody on the machine can see which bytes are locked, so 16 bits
    /// of it have to do: they tell nobody which item it is.
    private static func offset(of identity: ItemIdentity) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in identity.bytes {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return Int64(hash >> 48)
    }

    /// Opens the file. Only a change makes it: before the first one there is nobody to wait for.
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

    deinit {
        if descriptor != -1 {
            SystemCalls.close(descriptor)
        }
    }
}

/// A turn that may go on after the call in which it was taken.
final class TakenTurn {
    /// The item that is added in it.
    let adds: ItemIdentity?
    private let turn: ServiceLock

    /// Waits for the turn.
    init(_ kind: ServiceLock.Kind, in folder: String?, timeLimit: Int64) {
        turn = ServiceLock(kind, in: folder, timeLimit: timeLimit)
        if case .adding(let identity) = kind {
            adds = identity
        } else {
            adds = nil
        }
    }

    /// Whether it was got.
    var isTaken: Bool { turn.isTaken }
}
#endif
