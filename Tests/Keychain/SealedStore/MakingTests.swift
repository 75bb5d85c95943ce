import Foundation
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Making a keychain") struct MakingTests {
    @Test func makesFileKeyAndAnchor() throws {
        let scratch = try ScratchKeychain()
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
        #expect(scratch.verified() == 0)
        #expect(throws: KeychainError(.itemNotFound)) {
            _ = try secret(try scratch.open(), internetPassword("a.example"))
        }
    }

    @Test func onlyWhereThereIsNothing() throws {
        let scratch = try ScratchKeychain.withItem()
        let before = try scratch.files()
        #expect(throws: KeychainError(.duplicateKeychain)) {
            try SealedStore.make(at: scratch.location)
        }
        #expect(try scratch.files() == before)
        _ = try SealedStore.openOrMake(at: scratch.location)
        #expect(try scratch.files() == before)
    }

    @Test func openingMakesNothing() throws {
        let scratch = try ScratchKeychain(make: false)
        #expect(throws: KeychainError(.noSuchKeychain)) {
            _ = try SealedStore(at: scratch.location)
        }
        #expect(try scratch.names() == [])
        mkdir(scratch.dataFolder, 0o700)
        #expect(throws: KeychainError(.noSuchKeychain)) {
            _ = try SealedStore(at: scratch.location)
        }
        #expect(try scratch.names() == ["data"])
    }

    /// The error does not say that the user is asked: another program has the lock for its work.
    @Test func aBusyStateFolderIsReported() throws {
        let scratch = try ScratchKeychain(make: false)
        _ = try MachineKey.readOrMake(stateFolder: scratch.location.stateFolder)
        let turn = try UnlockLock(.work, at: scratch.location)
        let error = keychainError { try SealedStore.make(at: scratch.location) }
        #expect(error?.status == .databaseLocked)
        #expect(error?.hint == "try again")
        _ = consume turn
        try SealedStore.make(at: scratch.location)
    }

    @Test func noTwoAreAlike() throws {
        let keybags = try (0..<10).map { _ in
            let scratch = try ScratchKeychain()
            return try RawDatabase(scratch.location.file).blob("SELECT keybag FROM keychain")
        }
        #expect(Set(keybags.map { Array($0[2..<18]) }).count == 10)
    }

    /// Several threads make it at once: there is one, and each adds its item to it.
    @Test func manyThreadsAtOnce() throws {
        for _ in 0..<10 {
            let scratch = try ScratchKeychain(make: false)
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                let error = keychainError {
                    let store = try SealedStore.openOrMake(at: scratch.location)
                    try Keychain(store, accessGroups: .all()).add(
                        .internetPassword, internetPassword(ByteString("\(number).example")),
                        secret: Secret("\(number)"))
                }
                #expect(error == nil)
            }
            #expect(scratch.verified() == 8)
            #expect(try scratch.names() == ScratchKeychain.namesAtRest)
        }
    }

    /// The same by calls that must make it: exactly one does.
    @Test func oneOfManyMakesIt() throws {
        let scratch = try ScratchKeychain(make: false)
        let made = Count()
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let error = keychainError { try SealedStore.make(at: scratch.location) }
            #expect(error == nil || error?.status == .duplicateKeychain)
            made.add(error == nil ? 1 : 0)
        }
        #expect(made.value == 1)
    }

    @Test func manyProcessesAtOnce() async throws {
        let scratch = try ScratchKeychain(make: false)
        await withTaskGroup { group in
            for number in 0..<6 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [folder = scratch.folder as String, number = number as Int] in
                        let scratch = ScratchKeychain(adopting: folder)
                        let store = try SealedStore.openOrMake(at: scratch.location)
                        try Keychain(store, accessGroups: .all()).add(
                            .internetPassword, internetPassword(ByteString("\(number).example")),
                            secret: Secret("\(number)"))
                    }
                }
            }
        }
        #expect(scratch.verified() == 6)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    /// Killed again and again while it makes keychains: what is there is whole.
    @Test func killedWhileMaking() async throws {
        let scratch = try ScratchKeychain(make: false)
        for call in ["open", "write", "fsync", "link", "rename", "mkdir"] {
            for number in [1, 2, 3] {
                let folder = "\(scratch.folder)/\(call)-\(number)"
                mkdir(folder, 0o700)
                let result = await #expect(
                    processExitsWith: .signal(SIGKILL)
                ) {
                    [
                        folder = folder as String, call = call as String,
                        number = number as Int
                    ] in
                    let count = Count()
                    try SystemCalls.$injectedError.withValue({ name in
                        if name == call {
                            count.add(1)
                            if count.value == number {
                                kill(getpid(), SIGKILL)
                            }
                        }
                        return nil
                    }) {
                        try SealedStore.make(at: ScratchKeychain(adopting: folder).location)
                        // Fewer calls of this name than that.
                        kill(getpid(), SIGKILL)
                    }
                }
                #expect(result != nil)
                let left = ScratchKeychain(adopting: folder)
                let error = keychainError { _ = try SealedStore.openOrMake(at: left.location) }
                #expect(error == nil, "\(call) \(number)")
                #expect(left.adding() == nil)
                #expect(left.verified() == 1)
            }
        }
    }
}

/// A number that threads add to.
final class Count: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    var value: Int { lock.withLock { number } }

    func add(_ more: Int) {
        lock.withLock { number += more }
    }
}
