internal import KeychainServices
internal import LinuxSystem

/// Seals many new items ahead of their rows' being written: a thread of its own seals some while this one
/// writes others, and whoever has nothing else to do seals those that nobody has begun with.
///
/// Sendable, as what both threads change is changed under the lock.
final class SealingLine: @unchecked Sendable {
    private let keys: UnlockedKeys
    private let now: Timestamp
    private let monitor = Monitor()
    /// Those that nobody has begun with. Under the lock.
    private var waiting: [SealingGroup] = []
    /// Under the lock.
    private var isEnded = false

    /// How many items are sealed at a time.
    static let groupSize = 128
    /// How many groups there are ahead of the one that is written.
    static let lead = 6

    /// - Parameter keys: What both threads use of them never changes.
    init(_ keys: UnlockedKeys, now: Timestamp) {
        self.keys = keys
        self.now = now
    }

    /// Seals groups until the line is ended: the thread.
    func run() {
        while let group = next() {
            seal(group)
        }
    }

    private func next() -> SealingGroup? {
        monitor.locked(when: { isEnded || !waiting.isEmpty }) {
            isEnded ? nil : waiting.removeFirst()
        }
    }

    /// Lets the thread end.
    func end() {
        monitor.locked { isEnded = true }
    }

    /// Lets a group be sealed.
    func add(_ group: SealingGroup) {
        monitor.locked { waiting.append(group) }
    }

    /// Waits until a group is sealed; meanwhile it seals those that nobody has begun with.
    func finish(_ group: SealingGroup) {
        while let other = monitor.locked(
            when: { group.isSealed || !waiting.isEmpty },
            { group.isSealed ? nil : waiting.removeFirst() })
        {
            seal(other)
        }
    }

    private func seal(_ group: SealingGroup) {
        group.seal(keys, now: now)
        monitor.locked { group.isSealed = true }
    }
}
