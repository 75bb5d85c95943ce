internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A lock that lets one process at a time do something, while the others wait.
struct UnlockLock: ~Copyable {
    /// The activity that the lock protects.
    enum Kind {
        /// Asking the user for a passphrase. Processes that waited find the keychain unlocked.
        case question
        /// Stretching a passphrase, which takes much memory, or changing a keybag. It never
        /// includes waiting for the user.
        case work

        fileprivate var isTaken: KeychainError {
            switch self {
            case .question:
                KeychainError(
                    .interactionNotAllowed, "another program is asking for a passphrase",
                    hint: "answer it, or try again")
            case .work:
                KeychainError(
                    .databaseLocked, "another program changes the keys, or tries a passphrase",
                    hint: "try again")
            }
        }
    }

    private let file: Descriptor

    /// Waits for the lock.
    ///
    /// It locks the machine key's file or its folder, which needs no extra file; without a machine
    /// key it locks the keychain's folder. On a file system without locks it succeeds at once.
    ///
    /// - Parameters:
    ///   - timeout: In milliseconds.
    ///   - isNeedless: Asked every half second of the wait. If it says so, there is no lock.
    ///   - waits: Called once if it takes longer than two seconds, with the process that has the lock,
    ///     if that is known.
    /// - Throws: After the time-out ``Status/interactionNotAllowed`` for a question, ``Status/databaseLocked``
    ///   for work.
    init(
        _ kind: Kind, at location: KeychainLocation, timeout: Int64 = 120_000,
        unless isNeedless: () -> Bool = { false }, waits: (RunningProcess?) -> Void = { _ in }
    ) throws(KeychainError) {
        file = Descriptor(owning: UnlockLock.open(kind, location))
        let deadline = Deadline(milliseconds: timeout)
        let silence = Deadline(milliseconds: 2000)
        var isSilent = true
        while !SystemCalls.lock(
            file.number, until: Deadline(milliseconds: min(deadline.remaining, 500)))
        {
            guard !isNeedless() else {
                return
            }
            guard !deadline.hasPassed else {
                throw kind.isTaken
            }
            if isSilent, silence.hasPassed {
                isSilent = false
                waits(RunningProcess.holdingLock(of: file.number))
            }
        }
    }

    /// - Returns: -1 if there is nothing to lock.
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
}

extension RunningProcess {
    /// What a user recognizes it by.
    var forUser: String {
        let place = terminal.map { " on \($0)" } ?? ""
        return "\(name ?? "a program") (process \(id)\(place))"
    }
}
