internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// Lets one process at a time do something: the others wait.
struct UnlockLock: ~Copyable {
    /// What is done by one at a time.
    enum Kind {
        /// Asking a person for a passphrase. Those that waited find the keychain unlocked.
        case question
        /// Stretching a passphrase, which takes much memory, or changing a keybag. It takes no longer
        /// than that, and a person is never waited for.
        case work
    }

    private let descriptor: Int32

    /// Waits for the turn.
    ///
    /// It is a lock on the machine key's file or its folder, so that no file has to be made; on the
    /// keychain's folder where there is no machine key yet. Where the file system has no locks, it is
    /// always one's turn.
    ///
    /// - Parameters:
    ///   - timeout: In milliseconds.
    ///   - waits: Called once if it takes longer than two seconds.
    /// - Throws: ``Status/interactionNotAllowed`` when the time is over.
    init(
        _ kind: Kind, at location: KeychainLocation, timeout: Int64 = 120_000,
        waits: () -> Void = {}
    ) throws(KeychainError) {
        descriptor = UnlockLock.open(kind, location)
        let start = SystemCalls.monotonicMilliseconds()
        var isTold = false
        while descriptor != -1, (try? SystemCalls.lock(descriptor)) == false {
            let waited = SystemCalls.monotonicMilliseconds() - start
            guard waited < timeout else {
                SystemCalls.close(descriptor)
                throw KeychainError(
                    .interactionNotAllowed, "another program is asking for a passphrase",
                    hint: "answer it, or try again")
            }
            if waited > 2000, !isTold {
                isTold = true
                waits()
            }
            SystemCalls.sleep(milliseconds: 20)
        }
    }

    private static func open(_ kind: Kind, _ location: KeychainLocation) -> Int32 {
        do throws(KeychainError) {
            let state = try PinnedFolder(location.stateFolder)
            switch kind {
            case .question:
                let file = try? SystemCalls.open(
                    MachineKey.fileName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: state.number)
                if let file {
                    return file
                }
                return open(try PinnedFolder(location.dataFolder))
            case .work: return open(state)
            }
        } catch {
            return -1
        }
    }

    private static func open(_ folder: borrowing PinnedFolder) -> Int32 {
        (try? folder.openForReading()) ?? -1
    }

    deinit {
        if descriptor != -1 {
            SystemCalls.close(descriptor)
        }
    }
}
