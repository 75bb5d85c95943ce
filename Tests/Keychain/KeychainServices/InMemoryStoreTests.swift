import KeychainServices
import StoreConformance
import Testing

@Suite struct InMemoryStoreTests {
    @Test(arguments: StoreConformance.cases)
    func conforms(_ rule: ConformanceCase) throws {
        let clock = FakeClock()
        try rule.run { Keychain(InMemoryStore(now: clock.tick), accessGroups: .all()) }
    }

    @Test func conformsOnALongWalk() throws {
        for _ in 0..<10 {
            let clock = FakeClock()
            try StoreConformance.model(steps: 500)
                .run { Keychain(InMemoryStore(now: clock.tick), accessGroups: .all()) }
        }
    }

    @Test func everyCaseHasANameOfItsOwn() {
        let names = StoreConformance.cases.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func takesItsDatesFromTheClock() throws {
        let clock = FakeClock()
        let keychain = Keychain(InMemoryStore(now: { clock.now }), accessGroups: .all())
        try keychain.add(.genericPassword, ItemAttributes(), secret: Secret("s"))
        clock.now.secondsSinceEpoch += 100
        try keychain.update(Query(.genericPassword), secret: Secret("t"))
        let result = try keychain.copyMatching(Query(.genericPassword, returns: .attributes))
        guard case .item(let item) = consume result else {
            Issue.record("no item")
            return
        }
        #expect(item.attributes?.creationDate == Timestamp(secondsSinceEpoch: 1000))
        #expect(item.attributes?.modificationDate == Timestamp(secondsSinceEpoch: 1100))
    }

    @Test func keychainsDefaultsAreItsOwn() throws {
        let clock = FakeClock()
        let keychain = Keychain(
            InMemoryStore(now: clock.tick), accessGroups: .all(addingTo: "git"), accessible: .always
        )
        let added = try keychain.add(
            .genericPassword, ItemAttributes(), secret: Secret("s"), returns: .attributes)
        guard case .some(let item) = consume added else {
            Issue.record("no item")
            return
        }
        #expect(item.attributes?.accessGroup == "git")
        #expect(item.attributes?.accessible == .always)
    }
}
