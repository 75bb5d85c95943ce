import TestSupport
import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Many at once") struct ConcurrencyTests {
    /// Each thread adds its items with a store of its own, while others read and verify.
    @Test func manyThreadsAddAndRead() throws {
        let scratch = try ScratchKeychain.withItem()
        let threads = 10
        let items = 10
        let done = Count()
        DispatchQueue.concurrentPerform(iterations: threads + 3) { thread in
            guard thread < threads else {
                while done.value < threads {
                    let error = scratch.reading()
                    #expect(error == nil)
                    let count = scratch.verified()
                    #expect(count != nil)
                }
                return
            }
            let error = keychainError {
                let keychain = try scratch.open()
                for item in 0..<items {
                    try keychain.add(
                        .internetPassword, internetPassword(ByteString("\(thread)-\(item)")),
                        secret: Secret("\(thread) \(item)"))
                }
            }
            done.add(1)
            #expect(error == nil)
        }
        #expect(scratch.verified() == threads * items + 1)
        for thread in 0..<threads {
            for item in 0..<items {
                #expect(
                    try secret(
                        try scratch.open(), internetPassword(ByteString("\(thread)-\(item)")))
                        == "\(thread) \(item)")
            }
        }
    }

    @Test func fourThreadsAddWithOneStore() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
            for item in 0..<50 {
                let error = keychainError {
                    try keychain.add(
                        .internetPassword, internetPassword(ByteString("\(thread)-\(item)")),
                        secret: Secret("\(thread) \(item)"))
                }
                #expect(error == nil)
            }
        }
        #expect(scratch.verified() == 200)
        #expect(try secret(scratch.open(), internetPassword("3-49")) == "3 49")
    }

    /// Each thread's transaction is its own: what fails in one takes nothing from the others.
    @Test func transactionsOfThreadsDoNotMix() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
            for round in 0..<10 {
                let error = keychainError {
                    try keychain.transaction { () throws(KeychainError) in
                        for item in 0..<5 {
                            try keychain.add(
                                .internetPassword,
                                internetPassword(ByteString("\(thread)-\(round)-\(item)")),
                                secret: Secret("s"))
                        }
                        guard thread % 2 == 0 else {
                            throw KeychainError(.userCanceled)
                        }
                    }
                }
                #expect(error?.status == (thread % 2 == 0 ? nil : .userCanceled))
            }
        }
        #expect(scratch.verified() == 100)
    }

    /// A walk that is under way keeps another thread from nothing, not even where it waits for that one.
    @Test func aThreadWalksBesideOneThatAdds() throws {
        let scratch = try ScratchKeychain()
        let store = try scratch.openStore()
        let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
        for item in 0..<40 {
            try keychain.add(
                .internetPassword, internetPassword(ByteString("before-\(item)")),
                secret: Secret("s"))
        }
        let (added, walked) = (Count(), Count())
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
            guard thread == 0 else {
                for item in 0..<40 {
                    let error = keychainError {
                        try keychain.add(
                            .internetPassword, internetPassword(ByteString("beside-\(item)")),
                            secret: Secret("s"))
                    }
                    #expect(error == nil)
                    added.add(1)
                }
                return
            }
            var query = Query(.internetPassword, returns: [.attributes, .data])
            query.match.limit = .all
            let error = keychainError {
                try keychain.forEachMatch(query) { item in
                    while added.value < min(walked.value, 40) {
                        usleep(100)
                    }
                    let server = item.attributes?.server?.description ?? ""
                    walked.add(server.hasPrefix("before") ? 1 : 0)
                    return .next
                }
            }
            #expect(error == nil)
        }
        #expect(walked.value == 40)
        #expect(scratch.verified() == 80)
    }

    @Test func manyProcessesAddUpdateAndDelete() async throws {
        let scratch = try ScratchKeychain.withItem()
        await withTaskGroup { group in
            for process in 0..<6 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [folder = scratch.folder as String, process = process as Int] in
                        let scratch = ScratchKeychain(adopting: folder)
                        for item in 0..<8 {
                            let attributes = internetPassword(ByteString("\(process)-\(item)"))
                            let query = Query(.internetPassword, attributes)
                            try scratch.open().add(
                                .internetPassword, attributes, secret: Secret("first"))
                            try scratch.open().update(query, secret: Secret("second"))
                            #expect(try secret(try scratch.open(), attributes) == "second")
                            if item % 2 == 0 {
                                try scratch.open().delete(query)
                            }
                        }
                    }
                }
            }
        }
        #expect(scratch.verified() == 6 * 4 + 1)
        #expect(try scratch.names() == ScratchKeychain.namesAtRest)
    }

    /// The same item by all: one adds it, the others are told.
    @Test func oneOfManyAddsAnItem() throws {
        let scratch = try ScratchKeychain()
        let added = Count()
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            let error = scratch.adding()
            #expect(error == nil || error?.status == .duplicateItem)
            added.add(error == nil ? 1 : 0)
        }
        #expect(added.value == 1)
        #expect(scratch.verified() == 1)
    }

    /// Reading and writing in one transaction: nothing comes between.
    @Test func aCounterCountsEveryOne() throws {
        let scratch = try ScratchKeychain()
        let query = Query(.internetPassword, internetPassword("a.example"))
        try scratch.open().add(
            .internetPassword, internetPassword("a.example"), secret: Secret("0"))
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            for _ in 0..<10 {
                let error = keychainError {
                    let store = try scratch.openStore()
                    let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
                    try keychain.transaction { () throws(KeychainError) in
                        var returning = query
                        returning.returns = .data
                        var count = 0
                        try keychain.forEachMatch(returning) { item in
                            count = Int(secretText(item) ?? "") ?? -1
                            return .stop
                        }
                        try keychain.update(query, secret: Secret("\(count + 1)"))
                    }
                }
                #expect(error == nil)
            }
        }
        #expect(try secret(try scratch.open(), internetPassword("a.example")) == "60")
        #expect(scratch.verified() == 1)
    }

    /// What another process changed is seen by a store that was open before.
    @Test func anOpenStoreSeesTheChangesOfOthers() async throws {
        let scratch = try ScratchKeychain.withItem()
        let reader = try scratch.open()
        let writer = try scratch.open()
        #expect(try secret(reader, internetPassword("a.example")) == "one")
        try writer.delete(Query(.internetPassword, internetPassword("a.example")))
        #expect(throws: KeychainError(.itemNotFound)) {
            _ = try secret(reader, internetPassword("a.example"))
        }
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            try ScratchKeychain(adopting: folder).open().add(
                .internetPassword, internetPassword("a.example"), secret: Secret("three"))
        }
        #expect(try secret(reader, internetPassword("a.example")) == "three")
        #expect(try secret(writer, internetPassword("a.example")) == "three")
    }

    /// Killed in the middle of changes, over and over: what a change had returned from is there,
    /// and the rest is whole.
    @Test func killedAtAnyMoment() async throws {
        let scratch = try ScratchKeychain.withItem()
        var random = SeededRandom()
        var last = 0
        for round in 1...60 where round <= 8 || last == 0 {
            // A slow machine gets more time until something was added.
            let delay = random.number(below: 12_000 * max(1, round - 8))
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [folder = scratch.folder as String, delay = delay as Int, last = last as Int] in
                let scratch = ScratchKeychain(adopting: folder)
                let store = try scratch.openStore()
                let keychain = Keychain(store, accessGroups: .all(addingTo: "test"))
                Thread.detachNewThread {
                    usleep(useconds_t(2000 + delay))
                    kill(getpid(), SIGKILL)
                }
                for number in (last + 1)... {
                    try keychain.add(
                        .internetPassword, internetPassword(ByteString("\(number)")),
                        secret: Secret(String(repeating: "x", count: 5000)))
                    try Data("\(number)".utf8).write(
                        to: URL(fileURLWithPath: "\(folder)/last"), options: .atomic)
                }
            }
            let written = FileManager.default.contents(atPath: "\(scratch.folder)/last")
            let marked = written.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
            // An earlier process may have been killed between an addition and its mark.
            let acknowledged = max(marked, last)
            let count = try #require(scratch.verified()) - 1
            // The last one may be there without its mark.
            #expect(count == acknowledged || count == acknowledged + 1)
            last = count
        }
        #expect(last > 0, "nothing was added in all the time")
    }
}
