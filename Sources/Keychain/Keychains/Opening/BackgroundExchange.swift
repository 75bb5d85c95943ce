package import LanyardConfiguration
internal import Glibc
internal import LinuxSystem
internal import KeychainPlugin
internal import Synchronization

/// The exchange of the shared keychains that this process changed. Another process does it, which the caller
/// does not wait for.
package enum BackgroundExchange {
    /// The seconds that it has. What is left waits for the next one.
    private static let limit = 2
    /// The changed keychains, and the folder of their state.
    private static let changed = Mutex<(names: [String], stateFolder: String)>(([], ""))
    /// Whether the program calls ``start()`` itself.
    private static let isLeftToProgram = Atomic(false)
    /// The exchanges that ``startAfterChange()`` started and that run, as far as known.
    private static let running = Mutex<[Int32]?>(nil)
    /// Spares a program that only reads the lock, which takes a system call.
    private static let hasChanges = Atomic(false)

    /// The path of `lanyard`. Another program than Lanyard's own finds it in the folders of PATH.
    private static var lanyard: String? {
        Installation()?.command("lanyard")
            ?? (isLeftToProgram.load(ordering: .relaxed) ? nil : ProgramRun.find("lanyard"))
    }

    /// Records that a program changed items of a keychain.
    package static func note(_ name: String, _ places: Places) {
        changed.withLock { changed in
            if !changed.names.contains(name) {
                changed.names.append(name)
                changed.stateFolder = places.state
            }
        }
        hasChanges.store(true, ordering: .releasing)
    }

    /// The file of KeychainSync: a keychain that has it is shared.
    private static func file(_ name: String, _ stateFolder: String) -> String {
        "\(stateFolder)/\(name).team"
    }

    /// Whether a keychain is shared.
    package static func isShared(_ name: String, _ places: Places) -> Bool {
        (try? PrivatePlace.exists(file(name, places.state))) == true
    }

    /// Removes what is stored of the team of a keychain that was deleted: it is of no use without the keychain.
    package static func forget(_ name: String, _ places: Places) {
        let file = file(name, places.state)
        let lock = (try? SystemCalls.openForChange("\(file).lock")).map { Descriptor(owning: $0) }
        for path in [file, "\(file)-journal", "\(file).mark", "\(file).queue"] {
            try? SystemCalls.unlink(path)
        }
        // An exchange that still runs finds that the keychain is gone; a new one of the name waits for its end.
        if let lock, (try? SystemCalls.lock(lock.number)) == true {
            try? SystemCalls.unlink("\(file).lock")
            extendLifetime(lock)
        }
    }

    /// Returns the shared ones of the keychains that this process changed since the last exchange.
    package static func changedKeychains() -> [String] {
        changed.withLock { changed in
            changed.names.filter { name in
                (try? PrivatePlace.exists(file(name, changed.stateFolder))) == true
            }
        }
    }

    /// Leaves it to this program to call ``start()``. A program that knows nothing of the exchange gets it after each
    /// change.
    package static func leaveToProgram() {
        isLeftToProgram.store(true, ordering: .relaxed)
    }

    /// Starts the exchange after a change, unless the program does it.
    ///
    /// At most two of them run: the second one waits for the first, and takes along what is changed until then. What is
    /// changed later goes with the next change, or at the program's end.
    static func startAfterChange() {
        guard !isLeftToProgram.load(ordering: .relaxed), hasChanges.load(ordering: .acquiring)
        else {
            return
        }
        running.withLock { running in
            if running == nil {
                atexit { BackgroundExchange.start() }
            }
            // The program may have waited for them itself.
            var now = (running ?? []).filter { waitpid($0, nil, WNOHANG) == 0 }
            if now.count < 2, let process = start() {
                now.append(process)
            }
            running = now
        }
    }

    /// Starts the exchange if a changed keychain is shared. Call it at the program's end, after all changes; a
    /// program that goes on calls it after some of them.
    ///
    /// - Returns: The process, which a program that goes on waits for; nil if there is none.
    @discardableResult
    package static func start() -> Int32? {
        guard hasChanges.exchange(false, ordering: .acquiringAndReleasing) else {
            return nil
        }
        let (names, folder) = changed.withLock { changed in
            defer { changed.names = [] }
            return (changed.names, changed.stateFolder)
        }
        let shared = names.filter { (try? PrivatePlace.exists(file($0, folder))) == true }
        guard let name = shared.first, let found = lanyard,
            let program = try? PluginProgram.check(found, "program")
        else {
            return nil
        }
        return try? SystemCalls.startProcess(
            program,
            ["team", "sync", "--quiet", "--limit=\(limit)"]
                + (shared.count == 1 ? ["--keychain=\(name)"] : ["--all"]),
            input: nil, output: nil, showsErrors: false, isOwnSession: true)
    }
}
