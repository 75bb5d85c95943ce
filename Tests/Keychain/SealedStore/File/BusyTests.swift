import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Busy keychain") struct BusyTests {
    private func adding(_ store: SealedStore) -> KeychainError? {
        keychainError {
            try Keychain(store, accessGroups: .all()).add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        }
    }

    private func time(_ body: () throws -> Void) rethrows -> Duration {
        try ContinuousClock().measure(body)
    }

    @Test func waitingEndsAfterTenSeconds() throws {
        let scratch = try ScratchKeychain()
        #expect(try SealedStore(at: scratch.location).file.busyTimeout == 10_000)
    }

    @Test func aProgramMayWaitLess() throws {
        let scratch = try ScratchKeychain()
        #expect(try SealedStore(at: scratch.location, busyTimeout: 50).file.busyTimeout == 50)
    }

    /// Another connection is about to write: reading goes on, adding waits and gives up.
    @Test func whileAnotherIsAboutToWrite() throws {
        let scratch = try ScratchKeychain.withItem()
        let holder = try RawDatabase(scratch.location.file)
        try holder.run("BEGIN IMMEDIATE")
        let store = try scratch.openStore(busyTimeout: 200)
        #expect(reading(store) == nil)
        let took = time {
            let error = adding(store)
            #expect(error?.status == .databaseLocked)
            #expect(error?.hint != nil)
        }
        #expect(took > .milliseconds(190) && took < .seconds(60), "\(took)")
        try holder.run("COMMIT")
        #expect(adding(store) == nil)
        #expect(scratch.verified() == 2)
    }

    /// Another connection writes: no other can even read.
    @Test func whileAnotherWrites() throws {
        let scratch = try ScratchKeychain.withItem()
        let open = try scratch.openStore(busyTimeout: 200)
        #expect(reading(open) == nil)
        let holder = try RawDatabase(scratch.location.file)
        try holder.run("BEGIN EXCLUSIVE")
        for store in [open, try scratch.openStore(busyTimeout: 200)] {
            for call in [reading, adding] {
                let took = time { #expect(call(store)?.status == .databaseLocked) }
                #expect(took > .milliseconds(190) && took < .seconds(60), "\(took)")
            }
        }
        try holder.run("ROLLBACK")
        #expect(reading(open) == nil)
        #expect(adding(open) == nil)
        #expect(scratch.verified() == 2)
    }

    /// Another connection reads for long: a change can't end, and is undone.
    @Test func whileAnotherReads() throws {
        let scratch = try ScratchKeychain.withItem()
        let holder = try RawDatabase(scratch.location.file)
        try holder.run("BEGIN; SELECT count(*) FROM item")
        let store = try scratch.openStore(busyTimeout: 200)
        #expect(adding(store)?.status == .databaseLocked)
        #expect(reading(store) == nil)
        try holder.run("COMMIT")
        #expect(scratch.verified() == 1)
        #expect(adding(store) == nil)
        #expect(scratch.verified() == 2)
    }

    /// There is more to write than fits into memory: it is not waited for each part of it.
    @Test func muchIsWrittenWhileAnotherReads() throws {
        let scratch = try ScratchKeychain.withItem()
        let holder = try RawDatabase(scratch.location.file)
        try holder.run("BEGIN; SELECT count(*) FROM item")
        let store = try scratch.openStore(busyTimeout: 2_000)
        let text = String(repeating: "x", count: 1 << 20)
        let took = time {
            let error = keychainError {
                try store.transaction { () throws(KeychainError) in
                    for number in 0..<56 {
                        try Keychain(store, accessGroups: .all()).add(
                            .internetPassword, internetPassword(ByteString("\(number).example")),
                            secret: Secret(text))
                    }
                }
            }
            #expect(error?.status == .databaseLocked)
        }
        #expect(took > .milliseconds(1_990) && took < .seconds(40), "\(took)")
        try holder.run("COMMIT")
        #expect(scratch.verified() == 1)
        #expect(adding(store) == nil)
    }

    /// Whoever waits gets on as soon as the lock is free.
    @Test func waitingGetsThrough() throws {
        let scratch = try ScratchKeychain.withItem()
        let holder = try RawDatabase(scratch.location.file)
        try holder.run("BEGIN EXCLUSIVE")
        let store = try scratch.openStore()
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            if number == 0 {
                usleep(200_000)
                let released: ()? = try? holder.run("COMMIT")
                #expect(released != nil)
            } else {
                #expect(scratch.adding() == nil)
            }
        }
        #expect(reading(store) == nil)
        #expect(scratch.verified() == 2)
    }

    @Test func noWaitingWithoutTime() throws {
        let scratch = try ScratchKeychain.withItem()
        let holder = try RawDatabase(scratch.location.file)
        try holder.run("BEGIN EXCLUSIVE")
        let store = try scratch.openStore(busyTimeout: 0)
        #expect(reading(store)?.status == .databaseLocked)
        try holder.run("COMMIT")
    }
}
