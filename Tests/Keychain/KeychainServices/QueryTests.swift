import KeychainServices
import Testing

@Suite struct QueryTests {
    private static let id = ItemID.random()

    @Test func meansAndReturnsNothingByDefault() {
        let query = Query()
        #expect(query.itemClass == nil)
        #expect(query.attributes == ItemAttributes())
        #expect(query.synchronizable == .notSynchronizable)
        #expect(query.match == MatchOptions())
        #expect(query.returns == [])
        #expect(query.ids == [])
    }

    @Test func limit() {
        for (limit, wanted) in [
            (nil, 1), (.one, 1), (.all, Int.max), (.atMost(7), 7),
        ] as [(MatchLimit?, Int)] {
            var query = Query(.genericPassword)
            query.match.limit = limit
            #expect(query.limit == wanted)
        }
    }

    @Test func ids() {
        let reference = ItemReference(itemClass: .genericPassword, id: Self.id)
        var query = Query(reference)
        #expect(query.ids == [Self.id])
        query.persistentReference = reference.persistentReference
        #expect(query.ids == [Self.id, Self.id])
        #expect(query.matches(.genericPassword, ItemAttributes(), id: Self.id))
        #expect(!query.matches(.genericPassword, ItemAttributes(), id: .random()))
        query.reference = ItemReference(itemClass: .genericPassword, id: .random())
        #expect(!query.matches(.genericPassword, ItemAttributes(), id: Self.id))
    }

    @Test func classHasToMatch() {
        let query = Query(.genericPassword)
        #expect(query.matches(.genericPassword, ItemAttributes(), id: Self.id))
        #expect(!query.matches(.internetPassword, ItemAttributes(), id: Self.id))
        #expect(!Query().matches(.genericPassword, ItemAttributes(), id: Self.id))
    }

    @Test(arguments: [nil, false, true] as [Bool?])
    func synchronizable(_ value: Bool?) {
        var candidate = ItemAttributes()
        candidate.synchronizable = value
        func matches(_ match: SynchronizableMatch) -> Bool {
            var query = Query(.genericPassword)
            query.synchronizable = match
            return query.matches(.genericPassword, candidate, id: Self.id)
        }
        #expect(matches(.any))
        #expect(matches(.synchronizable) == (value == true))
        #expect(matches(.notSynchronizable) == (value != true))
    }

    /// Empty or 0 in a query means items without, for the identity's parts only.
    @Test func emptyPartsOfTheIdentityMeanItemsWithout() {
        var empty = ItemAttributes()
        empty.accessGroup = ""
        empty.account = ""
        empty.securityDomain = ""
        empty.server = ""
        empty.protocol = ProtocolType(rawValue: "")
        empty.authenticationType = AuthenticationType(rawValue: FourCharacterCode(rawValue: 0))
        empty.port = 0
        empty.path = ""
        let query = Query(.internetPassword, empty)
        #expect(query.matches(.internetPassword, ItemAttributes(), id: Self.id))
        let all = Query(.internetPassword)
        #expect(all.matches(.internetPassword, empty, id: Self.id))

        for path in [\ItemAttributes.label, \.comment, \.itemDescription] {
            var attributes = ItemAttributes()
            attributes[keyPath: path] = ""
            let query = Query(.internetPassword, attributes)
            #expect(!query.matches(.internetPassword, ItemAttributes(), id: Self.id))
            #expect(query.matches(.internetPassword, attributes, id: Self.id))
        }
    }

    @Test func whatWasNotAskedForIsNotReturned() {
        let reference = ItemReference(itemClass: .genericPassword, id: Self.id)
        let item = MatchedItem(reference, ItemAttributes(), secret: Secret("s"), returns: [])
        #expect(item.itemClass == .genericPassword)
        #expect(item.attributes == nil)
        #expect(item.reference == nil)
        #expect(item.persistentReference == nil)
        let hasSecret = item.secret != nil
        #expect(!hasSecret)
    }

    @Test func returnedSecretCanBeTakenOut() throws {
        let keychain = Keychain(InMemoryStore(now: FakeClock().tick), accessGroups: .all())
        try keychain.add(.genericPassword, ItemAttributes(), secret: Secret("s"))
        func take() throws -> Secret? {
            switch try keychain.copyMatching(Query(.genericPassword, returns: .data)) {
            case .item(let item): item.secret
            default: nil
            }
        }
        #expect(try take()?.bytes == [0x73])
    }
}
