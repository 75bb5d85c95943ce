internal import Glibc

/// A watch over folders. The corresponding functions are those of inotify(7).
///
/// It reads nothing in the kernel's records but that there are some: the caller looks for itself, which also
/// covers records that the kernel has dropped.
package struct FolderWatch: ~Copyable {
    /// A folder to watch.
    package struct Folder: Hashable, Sendable {
        let path: String
        let includesAttributes: Bool

        /// - Parameters:
        ///   - path: An absolute path; the folder may be missing.
        ///   - includesAttributes: Whether a file's new times and permissions count, too.
        package init(_ path: String, includesAttributes: Bool = false) {
            self.path = path
            self.includesAttributes = includesAttributes
        }
    }

    /// How a wait ended.
    package enum Event: Sendable {
        /// A name in one of the folders came, went or changed.
        case change
        /// The time is over.
        case deadline
        /// The other end of the given descriptor is gone.
        case hangUp
    }

    /// The descriptor of the kernel's queue, which can be read after a change; -1 if the kernel gives this user
    /// none. Then only the time ends a wait.
    package let queue: Int32
    /// The kernel's numbers of the watched folders.
    private var watches: [Int32] = []

    /// A file that is written where it is does not count: a commit ends with the deletion of the journal, and
    /// all other files of Lanyard's are replaced.
    private static let changes =
        UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF)
        | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)

    package init() {
        let number = try? SystemCalls.perform("inotify_init1") {
            inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        }
        queue = number ?? -1
    }

    deinit {
        if queue != -1 {
            SystemCalls.close(queue)
        }
    }

    /// Watches these folders and no others.
    ///
    /// It takes each path anew: a folder that was missing, or that another one has replaced, is watched
    /// from the next call on.
    package mutating func follow(_ folders: Set<Folder>) {
        guard queue != -1 else {
            return
        }
        var present: [Int32] = []
        for folder in folders {
            let mask =
                FolderWatch.changes | (folder.includesAttributes ? UInt32(IN_ATTRIB) : 0)
            // Safe: the path ends with NUL and lives for the call.
            let number = try? SystemCalls.perform("inotify_add_watch") {
                unsafe inotify_add_watch(queue, folder.path, mask)
            }
            if let number {
                present.append(number)
            }
        }
        for number in watches where !present.contains(number) {
            _ = inotify_rm_watch(queue, number)
        }
        watches = present
    }

    /// Waits for a change since the last wait.
    ///
    /// - Parameter descriptor: Ends the wait when its other end is gone.
    package func wait(
        until deadline: Deadline, orHangUpOf descriptor: Int32
    ) throws(SystemCallError) -> Event {
        var entries = [
            pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: 0, revents: 0),
        ]
        let count = try SystemCalls.perform("poll") {
            // Safe: the count matches the two entries.
            unsafe poll(&entries, 2, Int32(clamping: deadline.remaining))
        }
        guard entries[1].revents == 0 else {
            return .hangUp
        }
        guard count > 0 else {
            return .deadline
        }
        takeRecords()
        return .change
    }

    /// Empties the queue, up to its usual size: what comes meanwhile may stay for the next wait.
    package func takeRecords() {
        var records = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<64 {
            // Safe: the array's own memory and size.
            let count = unsafe records.withUnsafeMutableBytes { buffer in
                unsafe try? SystemCalls.read(queue, buffer)
            }
            guard count ?? 0 > 0 else {
                return
            }
        }
    }
}
