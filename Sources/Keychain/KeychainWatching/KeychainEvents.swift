internal import LanyardConfiguration
public import KeychainServices
internal import Keychains
internal import LinuxSystem

/// The events of the user's keychains, one after the other, without an end.
///
/// ```swift
/// for await event in try KeychainEvents() {
///     print(event.kind.name, event.attributes?.account ?? "")
/// }
/// ```
///
/// ``KeychainObserver`` describes what is watched, the order, and what becomes one event. If the events are
/// not taken, at most 1,000 wait; after that the watch pauses, and what happens to an item meanwhile is
/// one event. The iteration ends when its task is cancelled; it has only one consumer.
///
/// The corresponding function is SecKeychainAddCallback.
public struct KeychainEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = KeychainEvent
    /// The sequence never fails.
    public typealias Failure = Never

    private let stream: AsyncStream<KeychainEvent>

    private static let bufferSize = 1000

    /// Begins to watch: whatever changes after this call returns causes an event.
    ///
    /// - Parameters:
    ///   - keychain: The name of the only keychain to watch; nil for those of the search list.
    ///   - accessGroups: The access groups whose items count, by default
    ///     ``KeychainServices/AccessGroups/ofThisProgram()``.
    /// - Throws: What creating a ``KeychainObserver`` throws.
    public init(
        keychain: String? = nil, accessGroups: AccessGroups? = nil
    ) throws(KeychainError) {
        let groups = if let accessGroups { accessGroups } else { try AccessGroups.ofThisProgram() }
        try self.init(keychain, groups, places: Places())
    }

    init(
        _ keychain: String?, _ accessGroups: AccessGroups, places: Places
    ) throws(KeychainError) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: KeychainEvent.self, bufferingPolicy: .bufferingOldest(KeychainEvents.bufferSize))
        let observer = try KeychainObserver(keychain, accessGroups, places: places) { event in
            while true {
                switch continuation.yield(event) {
                case .enqueued: return .next
                case .dropped: SystemCalls.sleep(milliseconds: 10)
                case .terminated: return .stop
                @unknown default: return .stop
                }
            }
        }
        // The stream is at its end only after this: until then the thread may wait for room in the buffer.
        continuation.onTermination = { _ in observer.cancelWithoutWaiting() }
        self.stream = stream
    }

    /// The events that were not taken yet, and those to come.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: AsyncStream<KeychainEvent>.Iterator

        /// Waits for the next event; nil if the task was cancelled.
        public mutating func next() async -> KeychainEvent? { await events.next() }

        /// Waits for the next event; nil if the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> KeychainEvent? {
            await events.next(isolation: actor)
        }
    }

    /// Returns the iterator for the one consumer.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: stream.makeAsyncIterator())
    }
}
