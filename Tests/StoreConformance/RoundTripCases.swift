import KeychainServices

extension StoreConformance {
    @ConformanceCases static var roundTripCases: [ConformanceCase] {
        for attribute in TextAttribute.all {
            for (name, text) in texts {
                ConformanceCase(
                    "\(attribute.itemClass) \(attribute.name) comes back: \(name)"
                ) { keychain in
                    try keychain.expectRoundTrip(attribute.itemClass, attribute(text))
                }
            }
        }
        for sample in AttributeSample.all {
            for (number, attributes) in [sample.value, sample.other].enumerated() {
                ConformanceCase("\(sample.name) comes back: value \(number + 1)") { keychain in
                    try keychain.expectRoundTrip(sample.itemClass, attributes)
                }
            }
        }
        for itemClass in passwordClasses {
            ConformanceCase("\(itemClass) with every attribute comes back") { keychain in
                let attributes = ItemAttributes { attributes in
                    for sample in AttributeSample.all where sample.itemClass == itemClass {
                        sample.set(&attributes)
                    }
                    attributes.synchronizable = true
                    attributes.accessControl = AccessControl(accessible: .always)
                }
                try keychain.expectRoundTrip(itemClass, attributes)
            }
            ConformanceCase("\(itemClass) with every text at its longest comes back") {
                keychain in
                let attributes = ItemAttributes { attributes in
                    for text in TextAttribute.all where text.itemClass == itemClass {
                        attributes[keyPath: text.path] = longest
                    }
                }
                try keychain.expectRoundTrip(itemClass, attributes)
            }
        }
        for attribute in TextAttribute.all where !attribute.isIdentity {
            ConformanceCase("\(attribute.itemClass) \(attribute.name): empty is not absent") {
                keychain in
                var attributes = attribute("")
                attributes.account = "empty"
                try keychain.add(attribute.itemClass, attributes, secret: Secret("s"))
                try keychain.add(attribute.itemClass, .account("absent"), secret: Secret("s"))
                let empty = try keychain.onlyItem(.account("empty", attribute.itemClass))
                try expectEqual(empty.attributes[keyPath: attribute.path], "")
                let absent = try keychain.onlyItem(.account("absent", attribute.itemClass))
                try expectEqual(absent.attributes[keyPath: attribute.path], nil)
                try expectEqual(
                    try keychain.accounts(Query(attribute.itemClass, attribute(""))), ["empty"])
            }
        }
    }

    private static let longest = ByteString((0..<65_535).map { UInt8(truncatingIfNeeded: $0) })

    private static let texts: [(name: String, text: ByteString)] = [
        ("empty", ""),
        ("one letter", "x"),
        ("not UTF-8", ByteString([0xFF, 0xFE, 0x80, 0xC3])),
        ("NUL and line ends", "a\0b\nc\r\nd\0"),
        ("every byte value", ByteString(Array(0...255))),
        ("composed", "caf\u{E9}"),
        ("decomposed", "cafe\u{301}"),
        ("65,535 bytes", longest),
    ]
}

extension Keychain {
    /// Throws unless an item with these attributes is found by them and has them, and has no
    /// others but those that the keychain sets. An absent part of the identity may come back as
    /// empty or 0 and the other way round: they are the same.
    fileprivate func expectRoundTrip(
        _ itemClass: ItemClass, _ attributes: ItemAttributes
    ) throws {
        try add(itemClass, attributes, secret: Secret("secret"))
        var query = Query(itemClass, attributes)
        query.attributes.synchronizable = nil
        query.synchronizable = .any
        let item = try onlyItem(query)
        var wanted = attributes
        wanted.accessGroup = attributes.accessGroup ?? accessGroup
        wanted.accessible = attributes.accessible ?? accessible
        wanted.creationDate = item.attributes.creationDate
        wanted.modificationDate = item.attributes.modificationDate
        try expect(wanted.creationDate != nil, "the item has no creation date")
        try expect(
            item.attributes.identityFilled(itemClass) == wanted.identityFilled(itemClass),
            "the attributes are not those that were added")
        try expectEqual(item.secret, Array("secret".utf8))
    }
}

extension ItemAttributes {
    /// With the absent parts of the identity made empty or 0.
    fileprivate func identityFilled(_ itemClass: ItemClass) -> ItemAttributes {
        var filled = self
        for text in TextAttribute.all where text.itemClass == itemClass && text.isIdentity {
            filled[keyPath: text.path] = filled[keyPath: text.path] ?? ""
        }
        filled.synchronizable = synchronizable ?? false
        filled.port = port ?? 0
        return filled
    }
}
