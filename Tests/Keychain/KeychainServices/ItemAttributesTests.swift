import Testing

@testable import KeychainServices

@Suite("Item attributes") struct ItemAttributesTests {
    @Test("a copy keeps its values when the other changes")
    func copies() {
        var attributes = ItemAttributes()
        attributes.server = "a.example"
        attributes.port = 443
        let copy = attributes
        attributes.server = "b.example"
        attributes.port = nil
        #expect(copy.server == "a.example")
        #expect(copy.port == 443)
        #expect(attributes.server == "b.example")
        #expect(attributes.port == nil)
        #expect(copy != attributes)
    }

    @Test("removed attributes leave no trace")
    func empty() {
        var attributes = ItemAttributes()
        attributes.account = "alice"
        attributes.account = nil
        #expect(attributes == ItemAttributes())
        #expect(Set([attributes, ItemAttributes()]).count == 1)
        #expect(attributes.textSizes == (0, 0))
    }

    @Test("attributes that were set one by one equal copies")
    func equality() {
        func made() -> ItemAttributes {
            var attributes = ItemAttributes()
            attributes.account = "alice"
            attributes.creationDate = Timestamp(secondsSinceEpoch: 1)
            return attributes
        }
        var other = made()
        #expect(other == made())
        #expect(other.hashValue == made().hashValue)
        other.isInvisible = true
        #expect(other != made())
    }
}
