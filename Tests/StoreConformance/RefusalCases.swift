import KeychainServices

extension StoreConformance {
    @ConformanceCases static var refusalCases: [ConformanceCase] {
        for sample in AttributeSample.all where sample.isForeignElsewhere {
            ConformanceCase("\(sample.name) is refused in the other class") { keychain in
                let other = passwordClasses.first { $0 != sample.itemClass }!
                try keychain.add(other, .account("a"), secret: Secret("s"))
                try keychain.expectAllRefused(.noSuchAttribute, other, sample.value)
                try keychain.expectRefusal(.noSuchAttribute) {
                    try keychain.update(Query(other), sample.value)
                }
            }
        }
        for attribute in TextAttribute.all {
            ConformanceCase("\(attribute.itemClass) \(attribute.name) beyond 65,535 bytes") {
                keychain in
                let long = attribute(ByteString(Array(repeating: 0x61, count: 65_536)))
                try keychain.add(attribute.itemClass, .account("a"), secret: Secret("s"))
                try keychain.expectAllRefused(.dataTooLarge, attribute.itemClass, long)
                try keychain.expectRefusal(.dataTooLarge) {
                    try keychain.update(Query(attribute.itemClass), long)
                }
            }
        }
        for code in ["apls", "what", "\0\0\0\0"] as [FourCharacterCode] {
            ConformanceCase("class \(code.text.bytes) is refused") { keychain in
                try keychain.addAccounts("a")
                try keychain.expectAllRefused(
                    .noSuchClass, ItemClass(rawValue: code), ItemAttributes())
            }
        }
        ConformanceCase("a query without a class is refused") { keychain in
            try keychain.addAccounts("a")
            try keychain.expectAllRefused(.param, nil, .account("a"))
        }
        ConformanceCase("a certificate's subject is refused for passwords") { keychain in
            try keychain.addAccounts("a")
            let query = Query(.genericPassword).with { $0.match.subject = [.contains("CN")] }
            try expectStatus(.param) { _ = try keychain.copyMatching(query) }
        }
        for (name, set) in matchOptions {
            ConformanceCase("match option \(name) is refused in update and delete") { keychain in
                try keychain.addAccounts("a")
                var query = Query(.genericPassword)
                set(&query.match)
                try keychain.expectRefusal(.param) {
                    try keychain.update(query, secret: Secret("new"))
                }
                try keychain.expectRefusal(.param) { try keychain.delete(query) }
            }
        }
    }

    private static let matchOptions: [(name: String, set: @Sendable (inout MatchOptions) -> Void)] =
        [
            ("limit one", { $0.limit = .one }),
            ("limit all", { $0.limit = .all }),
            ("limit atMost", { $0.limit = .atMost(2) }),
            ("caseInsensitive", { $0.caseInsensitive = true }),
            ("caseInsensitive, set to no", { $0.caseInsensitive = false }),
            ("subject", { $0.subject = [.contains("")] }),
        ]
}

extension AttributeSample {
    /// Whether the other class lacks the attribute.
    fileprivate var isForeignElsewhere: Bool {
        !AttributeSample.all.contains { $0.itemClass != itemClass && $0.shortName == shortName }
    }

    private var shortName: Substring { name.split(separator: " ")[1] }
}

extension Keychain {
    /// Throws unless add, and copy, update and delete with a query, are refused.
    fileprivate func expectAllRefused(
        _ status: Status, _ itemClass: ItemClass?, _ attributes: ItemAttributes
    ) throws {
        if let itemClass {
            try expectRefusal(status) { try add(itemClass, attributes, secret: Secret("s")) }
        }
        let query = Query(itemClass, attributes)
        for returns: ReturnOptions in [[], [.data, .attributes]] {
            try expectStatus(status) {
                _ = try copyMatching(query.with { $0.returns = returns })
            }
        }
        try expectRefusal(status) { try update(query, .account("b"), secret: Secret("new")) }
        try expectRefusal(status) { try delete(query) }
    }
}
