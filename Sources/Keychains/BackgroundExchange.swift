internal import Configuration
internal import LinuxSystem
internal import PluginProcesses
internal import Synchronization

/// The exchange of the shared keychains that this process changed. Another process does it, which the caller
/// does not wait for.
package enum BackgroundExchange {
    /// The seconds that it has. What is left waits for the next one.
    private static let limit = 2
    /// The changed keychains, and the folder of their state.
    private static let changed = Mutex<(names: [String], stateFolder: String)>(([], ""))
    /// Spares a program that only reads the lock, which takes a system call.
    private static let hasChanges = Atomic(false)

    /// Records that a program changed items of a keychain.
    static func note(_ name: String, _ places: Places) {
        changed.withLock { changed in
            if !changed.names.contains(name) {
                changed.names.append(name)
                changed.stateFolder = places.state
            }
        }
        hasChanges.store(true, ordering: .releasing)
    }

    /// Starts the exchange if a changed keychain is shared. Call it at the program's end, after all changes.
    package static func start() {
        guard hasChanges.load(ordering: .acquiring) else {
            return
        }
        let (names, folder) = changed.withLock { changed in
            defer { changed.names = [] }
            return (changed.names, changed.stateFolder)
        }
        // The file of KeychainSync.
        let shared = names.filter { (try? PrivatePlace.exists("\(folder)/\($0).team")) == true }
        guard let name = shared.first, let found = PluginProgram.findCommand("lanyard"),
            let program = try? PluginProgram.check(found, "program")
        else {
            return
        }
        _ = try? SystemCalls.startProcess(
            program,
            ["team", "sync", "--quiet", "--limit=\(limit)"]
                + (shared.count == 1 ? ["--keychain=\(name)"] : ["--all"]),
            input: nil, output: nil, showsErrors: false, isOwnSession: true)
    }
}
