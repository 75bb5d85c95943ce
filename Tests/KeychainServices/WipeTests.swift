import KeychainServices
import Testing

/// That a secret which has ended has left no copy anywhere in memory.
@Suite struct WipeTests {
    private let pattern = MemoryScan.Pattern()
    // So many that what the scan itself allocates can't take the place of them all.
    private let size = MemoryScan.Pattern.count * 300

    @Test func secretIsFoundWhileItLivesAndNotAfter() {
        let scan = MemoryScan()
        do {
            let secret = makeSecret()
            #expect(scan.count(pattern) > 0)
            withExtendedLifetime(secret) {}
        }
        #expect(scan.count(pattern) == 0)
    }

    @Test func copiesAreWipedToo() {
        let scan = MemoryScan()
        do {
            let secret = makeSecret()
            let copy = secret.copy()
            let again = copy.withBytes { Secret(copying: $0) }
            #expect(again.count == secret.count)
            #expect(scan.count(pattern) > 0)
        }
        #expect(scan.count(pattern) == 0)
    }

    @Test func unusedCapacityIsWiped() {
        let scan = MemoryScan()
        do {
            let secret = Secret(capacity: size) { memory in
                pattern.fill(memory)
                return 1
            }
            #expect(secret.count == 1)
        }
        #expect(scan.count(pattern) == 0)
    }

    @Test func whatAClosureThatThrowsHasWrittenIsWiped() {
        let scan = MemoryScan()
        #expect(throws: KeychainError(.io)) {
            _ = try Secret(capacity: size) { memory throws(KeychainError) in
                pattern.fill(memory)
                throw KeychainError(.io)
            }
        }
        #expect(scan.count(pattern) == 0)
    }

    @Test func builderWipesWhatItOutgrows() {
        let scan = MemoryScan()
        do {
            var builder = SecretBuilder(capacity: 16)
            for position in 0..<size {
                builder.append(pattern[position])
            }
            builder.append(makeSecret())
            #expect(scan.count(pattern) > 0)
            let secret = builder.finish()
            #expect(secret.count == size * 2)
        }
        #expect(scan.count(pattern) == 0)
    }

    @Test func builderThatIsNeverFinishedIsWiped() {
        let scan = MemoryScan()
        do {
            var builder = SecretBuilder()
            builder.append(makeSecret())
            #expect(builder.count == size)
        }
        #expect(scan.count(pattern) == 0)
    }

    @Test func secretOfAStringLeavesNoCopyBesideTheString() {
        let scan = MemoryScan()
        let text = String(unsafeUninitializedCapacity: size) { buffer in
            pattern.fill(UnsafeMutableRawBufferPointer(buffer))
            return size
        }
        let copies = scan.count(pattern)
        #expect(Secret(text).count == size)
        // Memory that held the text for a moment may have been used again meanwhile.
        #expect(scan.count(pattern) <= copies)
        withExtendedLifetime(text) {}
    }

    @Test func keychainLeavesNothingOfWhatWasTakenOut() throws {
        let scan = MemoryScan()
        do {
            let keychain = Keychain(InMemoryStore(now: FakeClock().tick), accessGroups: .all())
            try keychain.add(.genericPassword, ItemAttributes(), secret: makeSecret())
            try keychain.update(Query(.genericPassword), ItemAttributes(), secret: makeSecret())
            var query = Query(.genericPassword, returns: [.data, .attributes])
            query.match.limit = .all
            _ = try keychain.copyMatching(query)
            #expect(scan.count(pattern) > 0)
            try keychain.delete(Query(.genericPassword))
            #expect(scan.count(pattern) == 0)
        }
    }

    @Test func secureStoreLeavesNothingOfWhatWasRemoved() throws {
        let scan = MemoryScan()
        let store = SecureStore(
            keychain: Keychain(InMemoryStore(now: FakeClock().tick), accessGroups: .all()),
            queryable: GenericPasswordQueryable(service: "service"))
        try store.setValue("first", for: "a")
        try store.setValue(makeSecret(), for: "a")
        let isThere = try store.getValue(for: "a")?.isEqual(to: makeSecret())
        #expect(isThere == true)
        try store.setValue("last", for: "a")
        #expect(scan.count(pattern) == 0)
    }

    private func makeSecret() -> Secret {
        Secret(capacity: size) { memory in
            pattern.fill(memory)
            return size
        }
    }
}
