import Testing

@testable import KeychainServices

/// Which queries mean one identity as a whole: those alone may be looked up by it.
@Suite struct QueryIdentityTests {
    private static let internet: ItemAttributes = {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.account = "ada"
        attributes.server = "example.com"
        attributes.protocol = .https
        attributes.port = 8443
        attributes.path = "team"
        attributes.securityDomain = "realm"
        attributes.authenticationType = .httpBasic
        return attributes
    }()

    private static let generic: ItemAttributes = {
        var attributes = ItemAttributes()
        attributes.accessGroup = "login"
        attributes.account = "ada"
        attributes.service = "wi-fi"
        return attributes
    }()

    @Test(arguments: [false, true]) func isThatOfTheItemThatTheQueryIsFor(_ synchronizable: Bool) {
        for (itemClass, attributes) in [
            (.internetPassword, Self.internet), (.genericPassword, Self.generic),
        ] as [(ItemClass, ItemAttributes)] {
            var attributes = attributes
            attributes.synchronizable = synchronizable
            let query = Query(identityOf: attributes, itemClass)
            #expect(
                query.wholeIdentity.map { ItemIdentity(itemClass, $0) }
                    == ItemIdentity(itemClass, attributes))
        }
    }

    @Test func absentPartsAreEmptyOnes() {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        for itemClass in [.internetPassword, .genericPassword] as [ItemClass] {
            let query = Query(identityOf: attributes, itemClass)
            #expect(
                query.wholeIdentity.map { ItemIdentity(itemClass, $0) }
                    == ItemIdentity(itemClass, attributes))
        }
    }

    @Test func isNoneIfAPartIsLeftOpen() {
        let parts: [(ItemClass, ItemAttributes, (inout ItemAttributes) -> Void)] = [
            (.internetPassword, Self.internet, { $0.accessGroup = nil }),
            (.internetPassword, Self.internet, { $0.account = nil }),
            (.internetPassword, Self.internet, { $0.server = nil }),
            (.internetPassword, Self.internet, { $0.protocol = nil }),
            (.internetPassword, Self.internet, { $0.port = nil }),
            (.internetPassword, Self.internet, { $0.path = nil }),
            (.internetPassword, Self.internet, { $0.securityDomain = nil }),
            (.internetPassword, Self.internet, { $0.authenticationType = nil }),
            (.genericPassword, Self.generic, { $0.accessGroup = nil }),
            (.genericPassword, Self.generic, { $0.account = nil }),
            (.genericPassword, Self.generic, { $0.service = nil }),
        ]
        for (itemClass, attributes, leavesOpen) in parts {
            var query = Query(itemClass, attributes)
            #expect(query.wholeIdentity != nil)
            leavesOpen(&query.attributes)
            #expect(query.wholeIdentity == nil)
        }
    }

    @Test func isNoneIfMoreIsMeant() {
        var query = Query(.genericPassword, Self.generic)
        query.synchronizable = .any
        #expect(query.wholeIdentity == nil)
        query.synchronizable = .notSynchronizable
        query.match.caseInsensitive = true
        #expect(query.wholeIdentity == nil)
        query.match.caseInsensitive = nil
        query.itemClass = nil
        #expect(query.wholeIdentity == nil)
    }
}
