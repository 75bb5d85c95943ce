import Foundation
import Glibc
import KeychainServices
import TestSupport
import Synchronization
import Testing

/// That a secret which has ended has left no copy anywhere in memory.
@Suite struct WipeTests {
    private let pattern = OwnMemory.Pattern.random(count: 32)
    // So many that what the scan itself allocates can't take the place of them all.
    private let size = 32 * 300

    @Test func secretIsFoundWhileItLivesAndNotAfter() {
        do {
            let secret = makeSecret()
            #expect(OwnMemory.count(pattern) > 0)
            withExtendedLifetime(secret) {}
        }
        #expect(OwnMemory.count(pattern) == 0)
    }

    @Test func theSearchGoesOnBehindMemoryThatWasGivenBack() throws {
        let page = 4096
        let memory = try #require(
            mmap(nil, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer {
            munmap(memory, page)
            munmap(memory + 2 * page, page)
        }
        pattern.fill(
            UnsafeMutableRawBufferPointer(start: memory + 2 * page, count: pattern.count))
        munmap(memory + page, page)
        let start = UInt(bitPattern: memory)
        #expect(OwnMemory.count(pattern, in: [start..<start + UInt(3 * page)]) == 1)
    }

    /// The pattern may not be in memory that the search itself has mapped.
    @Test func theSearchLeavesItsOwnWindowOut() {
        let isOver = Flag()
        let changer = Thread {
            // As large as the window: the kernel puts one where the other was.
            let size = 4096 + 1 << 20
            while !isOver.isSet.load(ordering: .relaxed) {
                let memory = mmap(
                    nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                usleep(50)
                munmap(memory, size)
            }
        }
        changer.start()
        defer { isOver.isSet.store(true, ordering: .relaxed) }
        for _ in 0..<25 {
            #expect(OwnMemory.count(pattern) == 0)
        }
    }

    @Test func theSearchFindsWhatBeginsBeforeLockedMemory() throws {
        let page = 4096
        let memory = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(memory, 2 * page) }
        // The page becomes a region of its own, as a locked one does.
        try #require(madvise(memory + page, page, MADV_DONTDUMP) == 0)
        let start = page - pattern.count / 2
        pattern.fill(UnsafeMutableRawBufferPointer(start: memory + start, count: pattern.count))
        #expect(OwnMemory.count(pattern) == 1)
    }

    @Test func copiesAreWipedToo() {
        do {
            let secret = makeSecret()
            let copy = secret.copy()
            let again = copy.withBytes { Secret(copying: $0) }
            #expect(again.count == secret.count)
            #expect(OwnMemory.count(pattern) > 0)
        }
        #expect(OwnMemory.count(pattern) == 0)
    }

    @Test func unusedCapacityIsWiped() {
        do {
            let secret = Secret(capacity: size) { memory in
                pattern.fill(memory)
                return 1
            }
            #expect(secret.count == 1)
        }
        #expect(OwnMemory.count(pattern) == 0)
    }

    @Test func whatAClosureThatThrowsHasWrittenIsWiped() {
        #expect(throws: KeychainError(.io)) {
            _ = try Secret(capacity: size) { memory throws(KeychainError) in
                pattern.fill(memory)
                throw KeychainError(.io)
            }
        }
        #expect(OwnMemory.count(pattern) == 0)
    }

    @Test func builderWipesWhatItOutgrows() {
        do {
            var builder = SecretBuilder(capacity: 16)
            for position in 0..<size {
                builder.append(pattern[position])
            }
            builder.append(makeSecret())
            #expect(OwnMemory.count(pattern) > 0)
            let secret = builder.finish()
            #expect(secret.count == size * 2)
        }
        #expect(OwnMemory.count(pattern) == 0)
    }

    @Test func builderThatIsNeverFinishedIsWiped() {
        do {
            var builder = SecretBuilder()
            builder.append(makeSecret())
            #expect(builder.count == size)
        }
        #expect(OwnMemory.count(pattern) == 0)
    }

    @Test func secretOfAStringLeavesNoCopyBesideTheString() {
        let text = String(unsafeUninitializedCapacity: size) { buffer in
            pattern.fill(UnsafeMutableRawBufferPointer(buffer))
            return size
        }
        let copies = OwnMemory.count(pattern)
        #expect(Secret(text).count == size)
        // Memory that held the text for a moment may have been used again meanwhile.
        #expect(OwnMemory.count(pattern) <= copies)
        withExtendedLifetime(text) {}
    }

    @Test func keychainLeavesNothingOfWhatWasTakenOut() throws {
        do {
            let keychain = Keychain(InMemoryStore(now: FakeClock().tick), accessGroups: .all())
            try keychain.add(.genericPassword, ItemAttributes(), secret: makeSecret())
            try keychain.update(Query(.genericPassword), ItemAttributes(), secret: makeSecret())
            var query = Query(.genericPassword, returns: [.data, .attributes])
            query.match.limit = .all
            _ = try keychain.copyMatching(query)
            #expect(OwnMemory.count(pattern) > 0)
            try keychain.delete(Query(.genericPassword))
            #expect(OwnMemory.count(pattern) == 0)
        }
    }

    @Test func secureStoreLeavesNothingOfWhatWasRemoved() throws {
        let store = SecureStore(
            keychain: Keychain(InMemoryStore(now: FakeClock().tick), accessGroups: .all()),
            queryable: GenericPasswordQueryable(service: "service"))
        try store.setValue("first", for: "a")
        try store.setValue(makeSecret(), for: "a")
        let isThere = try store.getValue(for: "a")?.isEqual(to: makeSecret())
        #expect(isThere == true)
        try store.setValue("last", for: "a")
        #expect(OwnMemory.count(pattern) == 0)
    }

    private func makeSecret() -> Secret {
        Secret(capacity: size) { memory in
            pattern.fill(memory)
            return size
        }
    }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}
