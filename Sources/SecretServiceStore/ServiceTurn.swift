#if SecretService
internal import Glibc
internal import Keychain
internal import LinuxSystem

/// Lets one of this program's processes at a time change items of the Secret Service, while none reads any.
///
/// gnome-keyring's daemon now and then ends with a segmentation fault when an item is deleted about which
/// another client asks in the same moment, as where several processes store the same new login at once.
struct ServiceTurn: ~Copyable {
    /// What is done in it.
    enum Kind {
        /// Any number may at once.
        case reading
        /// One may, and nobody reads meanwhile.
        case changing
    }

    private let descriptor: Int32

    /// Waits for the turn.
    ///
    /// - Parameters:
    ///   - folder: What is locked, so that no file has to be made. Where there is none that is its
    ///     owner's alone, or its file system has no locks, it is always one's turn.
    ///   - timeLimit: After how many milliseconds nobody is waited for any longer: a person may be asked in
    ///     the other one's turn.
    init(_ kind: Kind, in folder: String?, timeLimit: Int64) {
        descriptor = folder.map(ServiceTurn.open) ?? -1
        let start = SystemCalls.monotonicMilliseconds()
        while descriptor != -1,
            (try? SystemCalls.lock(descriptor, isShared: kind == .reading)) == false,
            SystemCalls.monotonicMilliseconds() - start < timeLimit
        {
            SystemCalls.sleep(milliseconds: 2)
        }
    }

    private static func open(_ path: String) -> Int32 {
        do throws(KeychainError) {
            let folder = try PinnedFolder(path)
            return (try? folder.openForReading()) ?? -1
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
#endif
