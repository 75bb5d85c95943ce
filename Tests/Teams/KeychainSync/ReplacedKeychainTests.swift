import Foundation
import KeychainServices
import LinuxSystem
import SealedStore
import SyncConformance
import Testing

@testable import KeychainSync

/// A keychain that is replaced while its items are being exchanged. Its store opens the file anew for writing.
@Suite("Replaced shared keychain") struct ReplacedKeychainTests {
    private let server = MemoryServer()
    private let ada: Machine
    private let grace: Machine

    init() throws {
        (ada, grace) = (try Machine(server), try Machine(server))
        try ada.create()
        try grace.join(ada, "grace")
    }

    /// Exchanges grace's items, and runs a closure in the middle of it.
    private func exchange(_ meanwhile: @escaping () throws -> Void) throws {
        let shared = try SharedKeychain(
            grace.place, SealedStore(at: grace.store.location), connect: grace.connect)
        var isDone = false
        server.show = { changes in
            if !isDone {
                isDone = true
                #expect(throws: Never.self) { try meanwhile() }
            }
            return changes
        }
        defer { server.show = { $0 } }
        _ = try shared.exchange()
    }

    @Test func anotherKeychainOfTheNameGetsNothing() throws {
        try ada.add("db", "one")
        try ada.exchange()
        let location = grace.store.location
        #expect(throws: KeychainError(.noSuchKeychain)) {
            try exchange {
                try SealedStore.delete(at: location)
                try SealedStore.make(at: location)
            }
        }
        #expect(try SealedStore(at: location).count() == 0)
    }

    /// Its older items would be changes for the next exchange.
    @Test func aBackupThatIsRestoredMeanwhileUndoesNothing() throws {
        try ada.add("db", "one")
        try ada.add("other", "one")
        for machine in [ada, grace] {
            try machine.exchange()
        }
        let location = grace.store.location
        let file = location.file
        let backup = "\(file).backup"
        try FileManager.default.copyItem(atPath: file, toPath: backup)
        try grace.set("db", "two")
        for machine in [grace, ada] {
            try machine.exchange()
        }
        try ada.set("other", "two")
        try ada.exchange()
        #expect(throws: KeychainError(.noSuchKeychain)) {
            try exchange {
                try SystemCalls.rename(backup, file)
                try SealedStore.acceptRestored(at: location)
            }
        }
        let restored = try SealedStore(at: location)
        _ = try SharedKeychain(grace.place, restored, connect: grace.connect).exchange()
        try ada.exchange()
        #expect(try ada.secrets() == ["db": "two", "other": "two"])
    }
}
