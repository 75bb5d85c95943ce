import KeychainServices

extension StoreConformance {
    @ConformanceCases static var identityCases: [ConformanceCase] {
        for sample in AttributeSample.all {
            ConformanceCase(
                "\(sample.name) \(sample.isIdentity ? "makes" : "does not make") another item"
            ) { keychain in
                let three = [ItemAttributes(), sample.value, sample.other]
                try keychain.add(sample.itemClass, three[0], secret: Secret([0]))
                for (number, attributes) in three.enumerated().dropFirst() {
                    let secret = Secret([UInt8(number)])
                    if sample.isIdentity {
                        try keychain.add(sample.itemClass, attributes, secret: secret)
                    } else {
                        try keychain.expectRefusal(.duplicateItem) {
                            try keychain.add(sample.itemClass, attributes, secret: secret)
                        }
                    }
                }
                try expectEqual(
                    try keychain.items(sample.itemClass).map(\.secret).reversed(),
                    sample.isIdentity ? [[0], [1], [2]] : [[0]])
            }
        }
        for attribute in TextAttribute.all
        where attribute.isIdentity && attribute.name != "accessGroup" {
            ConformanceCase(
                "\(attribute.itemClass) \(attribute.name): absent and empty are the same item"
            ) { keychain in
                try keychain.expectSameItem(attribute.itemClass, attribute(""), other: "x") {
                    attributes, value in
                    attributes[keyPath: attribute.path] = value
                }
            }
        }
        ConformanceCase("inet port: absent and 0 are the same item") { keychain in
            let none = ItemAttributes { $0.port = 0 }
            try keychain.expectSameItem(.internetPassword, none, other: 1) { $0.port = $1 }
        }
        ConformanceCase("inet authenticationType: absent and 0 are the same item") {
            keychain in
            let none = ItemAttributes {
                $0.authenticationType = AuthenticationType(rawValue: "\0\0\0\0")
            }
            try keychain.expectSameItem(.internetPassword, none, other: .ntlm) {
                $0.authenticationType = $1
            }
        }
        ConformanceCase("an empty access group is not the keychain's own") { keychain in
            try keychain.add(.genericPassword, ItemAttributes(), secret: Secret("own"))
            let empty = ItemAttributes { $0.accessGroup = "" }
            try keychain.add(.genericPassword, empty, secret: Secret("none"))
            let item = try keychain.onlyItem(Query(.genericPassword, empty))
            try expectEqual(item.secret, Array("none".utf8))
        }
        ConformanceCase("identities don't run into one another") { keychain in
            for (account, service) in [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")] {
                let attributes = ItemAttributes {
                    $0.account = ByteString(account)
                    $0.service = ByteString(service)
                }
                try keychain.add(.genericPassword, attributes, secret: Secret(account))
            }
            try expectEqual(try keychain.count(Query(.genericPassword)), 4)
        }
        for attribute in TextAttribute.all where attribute.isIdentity {
            ConformanceCase(
                "\(attribute.itemClass) \(attribute.name): look-alikes are different items"
            ) { keychain in
                let alikes: [ByteString] = [
                    "caf\u{E9}", "cafe\u{301}", "CAF\u{C9}", "c\u{430}f\u{E9}", "caf\u{E9} ",
                    "caf\u{E9}\0",
                ]
                for text in alikes {
                    try keychain.add(
                        attribute.itemClass, attribute(text),
                        secret: Secret(copying: text.bytes.span))
                }
                for text in alikes {
                    let item = try keychain.onlyItem(Query(attribute.itemClass, attribute(text)))
                    try expectEqual(item.secret, text.bytes)
                }
            }
        }
    }
}

extension Secret {
    fileprivate init(_ bytes: [UInt8]) {
        self.init(bytes: bytes)
    }
}

extension Keychain {
    /// Throws unless an absent part of the identity is the same as `none`, in adding as in
    /// looking, and another value is different from both.
    fileprivate func expectSameItem<Value>(
        _ itemClass: ItemClass, _ none: ItemAttributes, other: Value,
        _ set: (inout ItemAttributes, Value) -> Void
    ) throws {
        let others = ItemAttributes { set(&$0, other) }
        try add(itemClass, others, secret: Secret("other"))
        for (first, second) in [(ItemAttributes(), none), (none, ItemAttributes())] {
            try expectStatus(.itemNotFound) {
                _ = try copyMatching(Query(itemClass, none))
            }
            try add(itemClass, first, secret: Secret("none"))
            try expectRefusal(.duplicateItem) {
                try add(itemClass, second, secret: Secret("again"))
            }
            let item = try onlyItem(Query(itemClass, none))
            try expectEqual(item.secret, Array("none".utf8))
            try delete(Query(itemClass, none))
            try expectEqual(try items(itemClass).map(\.secret), [Array("other".utf8)])
        }
    }
}
