import KeychainServices

extension StoreConformance {
    @ConformanceCases static var dataCases: [ConformanceCase] {
        for attribute in TextAttribute.all where attribute.attribute.canBeData {
            ConformanceCase("\(attribute.itemClass) \(attribute.name) given as data stays data") {
                keychain in
                try keychain.add(
                    attribute.itemClass, attribute.data("caf\u{E9}"), secret: Secret("s"))
                let found = try keychain.onlyItem(
                    Query(attribute.itemClass, attribute("caf\u{E9}")))
                try expectEqual(found.attributes.dataNames, [attribute.name])
                try expectEqual(found.attributes[keyPath: attribute.path], "caf\u{E9}")
            }
            ConformanceCase("\(attribute.itemClass) \(attribute.name) updated to data and to text")
            {
                keychain in
                try keychain.add(attribute.itemClass, attribute("a"), secret: Secret("s"))
                let query = Query(attribute.itemClass)
                try keychain.update(query, attribute.data("a"))
                try expectEqual(
                    try keychain.onlyItem(query).attributes.dataNames, [attribute.name])
                try keychain.update(query, ItemAttributes { $0.creator = "lany" })
                try expectEqual(
                    try keychain.onlyItem(query).attributes.dataNames, [attribute.name])
                try keychain.update(query, attribute("a"))
                try expectEqual(try keychain.onlyItem(query).attributes.dataNames, [])
            }
        }
        for itemClass in passwordClasses {
            ConformanceCase("\(itemClass): data and text of the same bytes are one item") {
                keychain in
                let account = ItemAttributes.account("a").marked(.account)
                try keychain.add(itemClass, account, secret: Secret("s"))
                try keychain.expectRefusal(.duplicateItem) {
                    try keychain.add(itemClass, .account("a"), secret: Secret("s"))
                }
                try keychain.add(itemClass, .account("b"), secret: Secret("s"))
                try keychain.expectRefusal(.duplicateItem) {
                    try keychain.update(.account("b", itemClass), account)
                }
                try expectEqual(try keychain.accounts(Query(itemClass, account)), ["a"])
            }
        }
    }
}

extension TextAttribute {
    /// The attributes with this one alone, given as data.
    fileprivate func data(_ value: ByteString) -> ItemAttributes { self(value).marked(attribute) }
}

extension ItemAttributes {
    fileprivate func marked(_ attribute: Attribute) -> ItemAttributes {
        var marked = self
        marked.markAsData(attribute)
        return marked
    }

    /// The names of the texts that were given as data.
    fileprivate var dataNames: [String] {
        entries.filter(\.isData).map { "\($0.attribute.row.name)" }
    }
}
