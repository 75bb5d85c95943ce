internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// The lock of the program that unseals or changes the machine key, while others wait.
struct MachineKeyLock: ~Copyable {
    /// -1 if there is nothing to lock, as in a folder that can't be written.
    private let file: Descriptor

    private static let fileName = "machine-key.lock"

    /// Opens the lock's file without taking the lock.
    init(stateFolder: String) {
        file = Descriptor(owning: MachineKeyLock.open(stateFolder))
    }

    private static func open(_ stateFolder: String) -> Int32 {
        guard let folder = try? PinnedFolder(stateFolder) else {
            return -1
        }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        if let file = try? SystemCalls.open(fileName, flags, in: folder.number) {
            return file
        }
        return (try? SystemCalls.open(fileName, flags | O_CREAT, mode: 0o600, in: folder.number))
            ?? -1
    }

    /// Waits for the lock.
    ///
    /// - Throws: ``Status/databaseLocked`` after ten seconds.
    init(waitingIn stateFolder: String) throws(KeychainError) {
        self.init(stateFolder: stateFolder)
        guard SystemCalls.lock(file.number, until: Deadline(milliseconds: 10_000)) else {
            throw KeychainError(
                .databaseLocked, "another program is using the machine key", hint: "try again")
        }
    }

    /// Takes the lock if it is free; on a file system without locks, it is.
    ///
    /// - Returns: Whether this program has it.
    func isTaken() -> Bool { (try? SystemCalls.lock(file.number)) != false }
}
