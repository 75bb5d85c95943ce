import Foundation
import KeychainServices
import TestSupport
import SealedStore

@testable import LanyardConfiguration
@testable import KeychainWatching

/// A value of LANYARD_HOME of its own.
final class ScratchKeychains: Sendable {
    let folder: ScratchFolder
    let places: Places

    init() throws {
        folder = try ScratchFolder()
        places = Places(home: folder.path)
    }

    func location(_ name: String = "login") throws -> KeychainLocation {
        try places.keychain(name)
    }

    /// The keychain, created if it is missing.
    func open(_ name: String = "login", group: ByteString = "test") throws -> Keychain {
        Keychain(
            try SealedStore.openOrMake(at: try location(name)),
            accessGroups: .all(addingTo: group))
    }

    func configure(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: places.configuration, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // Another name first: a watcher never sees a half of it.
        let file = "\(places.configuration)/config.new"
        try Data(text.utf8).write(to: URL(filePath: file))
        _ = rename(file, "\(places.configuration)/config")
    }

    /// Observes until the body ends.
    func observing(
        _ keychain: String? = nil, groups: AccessGroups = .all(),
        _ body: (ObservedEvents) async throws -> Void
    ) async throws {
        let events = ObservedEvents()
        let observer = try KeychainObserver(keychain, groups, places: places) { event in
            events.add(event)
            return .next
        }
        try await body(events)
        observer.cancel()
    }
}

func login(_ server: ByteString, account: ByteString = "ada") -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.server = server
    attributes.account = account
    attributes.protocol = .https
    return attributes
}

func query(_ server: ByteString) -> Query {
    var attributes = ItemAttributes()
    attributes.server = server
    return Query(.internetPassword, attributes)
}

/// Adds logins of the servers s0, s1 and so on in one transaction.
func addTogether(_ count: Int, to keychain: Keychain) throws {
    try keychain.transaction { () throws(KeychainError) in
        for number in 0..<count {
            try keychain.add(
                .internetPassword, login(ByteString("s\(number)")), secret: Secret("x"))
        }
    }
}
