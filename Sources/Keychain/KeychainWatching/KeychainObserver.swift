internal import LanyardConfiguration
internal import Glibc
public import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import Synchronization

/// Calls a function for each ``KeychainEvent``, in a thread of its own, until it is cancelled or released.
///
/// It watches the sealed keychains of the user's search list, and the list itself. Keychains in the Secret
/// Service and those of other plugins are not watched. What is there when it is created causes no event.
///
/// - Additions and updates of a keychain come in the order in which the programs made them. Deletions found
///   in the same look come before them.
/// - Nothing is missed, but what happens to one item between two looks is one event: several updates are one,
///   and an item that was added and deleted causes none. A look follows each change at once; while the
///   callback runs there is none.
/// - Changes that the kernel does not announce are found within a second: a keychain that locks because
///   its time is over, a change by another machine in a shared home folder.
///
/// The keychains stay free for other programs meanwhile, locked ones are watched, too, and the user is
/// never asked. The corresponding function is SecKeychainAddCallback.
public final class KeychainObserver: Sendable {
    private let end: EndSignal
    private let thread: Mutex<pthread_t?>

    /// Begins to watch: whatever changes after this call returns causes an event.
    ///
    /// - Parameters:
    ///   - keychain: The name of the only keychain to watch; nil for those of the search list.
    ///   - accessGroups: The access groups whose items count, by default
    ///     ``KeychainServices/AccessGroups/ofThisProgram()``. An item that moves into one of them was added,
    ///     and one that moves out of them was deleted.
    ///   - callback: Is called in another thread, for one event at a time.
    /// - Throws: ``Status/param`` for an invalid configuration, and for a keychain that is not a sealed file;
    ///   ``Status/io`` if no thread can be started; what ``AccessGroups`` throws.
    public convenience init(
        keychain: String? = nil, accessGroups: AccessGroups? = nil,
        _ callback: @escaping @Sendable (KeychainEvent) -> Void
    ) throws(KeychainError) {
        let groups = if let accessGroups { accessGroups } else { try AccessGroups.ofThisProgram() }
        try self.init(keychain, groups, places: Places()) { event in
            callback(event)
            return .next
        }
    }

    /// - Parameter callback: Returns whether to go on.
    init(
        _ keychain: String?, _ accessGroups: AccessGroups, places: Places,
        _ callback: @escaping @Sendable (KeychainEvent) -> WalkControl
    ) throws(KeychainError) {
        let watch = try KeychainWatch(
            keychain: keychain, accessGroups: accessGroups, places: places)
        do throws(SystemCallError) {
            let end = try EndSignal()
            self.end = end
            // The thread does not retain this observer.
            thread = Mutex(
                try SystemCalls.startJoinableThread {
                    // Waiting fails only without memory.
                    try? watch.run(untilHangUpOf: end.descriptor) { event in
                        end.isGiven ? .stop : callback(event)
                    }
                })
        } catch {
            throw error.keychainError("changes can't be waited for")
        }
    }

    /// Ends the calls. When it returns, the callback does not run any more and its thread has ended, unless
    /// the callback itself calls it.
    public func cancel() {
        end.give()
        guard let thread = thread.withLock({ $0.take() }) else {
            return
        }
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// Ends the calls soon, without waiting for the callback or the thread.
    func cancelWithoutWaiting() {
        end.give()
        if let thread = thread.withLock({ $0.take() }) {
            pthread_detach(thread)
        }
    }

    deinit {
        cancel()
    }
}

/// Tells a waiting thread to end.
private final class EndSignal: Sendable {
    private let sockets: SocketPair

    init() throws(SystemCallError) {
        sockets = try SocketPair()
    }

    func give() {
        SystemCalls.hangUp(sockets.ours.number)
    }

    /// Hangs up when the signal is given.
    var descriptor: Int32 { sockets.theirs.number }

    var isGiven: Bool {
        (try? SystemCalls.wait(
            for: descriptor, .hungUp, until: Deadline(milliseconds: 0))) ?? true
    }
}
