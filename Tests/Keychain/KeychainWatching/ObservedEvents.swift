import Foundation
import KeychainServices
import Synchronization
import Testing

@testable import KeychainWatching

/// The events that an observer has passed on.
final class ObservedEvents: Sendable {
    private let events = Mutex<[KeychainEvent]>([])

    func add(_ event: KeychainEvent) {
        events.withLock { $0.append(event) }
    }

    var all: [KeychainEvent] { events.withLock { $0 } }

    /// Each as `KIND KEYCHAIN SERVER`.
    var texts: [String] { all.map(\.text) }

    /// Waits until there are that many events, or for a minute.
    func wait(
        for count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        try await wait(sourceLocation: sourceLocation) { $0.count >= count }
    }

    /// Waits until the events are as wanted, or for a minute.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until areWanted: ([String]) -> Bool
    ) async throws -> [String] {
        for _ in 0..<6000 {
            let texts = texts
            if areWanted(texts) {
                return texts
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("only these came: \(texts)", sourceLocation: sourceLocation)
        return texts
    }
}

extension KeychainEvent {
    /// `KIND KEYCHAIN SERVER`, as far as it has them.
    var text: String {
        ([kind.name, keychain, attributes?.server?.description] + (keychains ?? []))
            .compactMap(\.self).joined(separator: " ")
    }
}
