internal import Glibc
internal import Keychain

/// Lets one process at a time ask for a passphrase, stretch it, or change keybags: the others wait,
/// and find the keychain unlocked.
struct UnlockTurn: ~Copyable {
    private let descriptor: Int32

    /// Waits for the turn.
    ///
    /// It is a lock on the machine key's file, or on the keychain's folder where that is not there,
    /// so that no file has to be made. Where the file system has no locks, it is always one's turn.
    ///
    /// - Parameter timeout: In milliseconds.
    /// - Throws: ``Status/interactionNotAllowed`` when the time is over.
    init(at location: KeychainLocation, timeout: Int64) throws(KeychainError) {
        descriptor =
            (try? SystemCalls.open(
                MachineKey.path(in: location.stateFolder), O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
            ?? (try? SystemCalls.open(location.dataFolder, O_RDONLY | O_DIRECTORY)) ?? -1
        let end = SystemCalls.monotonicMilliseconds() + timeout
        while descriptor != -1, (try? SystemCalls.lock(descriptor)) == false {
            guard SystemCalls.monotonicMilliseconds() < end else {
                SystemCalls.close(descriptor)
                throw KeychainError(
                    .interactionNotAllowed, "another program is asking for a passphrase",
                    hint: "answer it, or try again")
            }
            SystemCalls.sleep(milliseconds: 20)
        }
    }

    deinit {
        if descriptor != -1 {
            SystemCalls.close(descriptor)
        }
    }
}
