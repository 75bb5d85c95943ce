import KeychainServices

extension StoreConformance {
    @ConformanceCases static var caseInsensitiveCases: [ConformanceCase] {
        for attribute in TextAttribute.all
        where attribute.name != "protocol" && attribute.name != "generic" {
            for (name, stored, wanted, isSame) in spellings {
                ConformanceCase(
                    "\(attribute.itemClass) \(attribute.name) without letter case: \(name)"
                ) { keychain in
                    try keychain.add(attribute.itemClass, attribute(stored), secret: Secret("s"))
                    var query = Query(attribute.itemClass, attribute(wanted))
                    for caseInsensitive in [nil, false] {
                        query.match.caseInsensitive = caseInsensitive
                        try expectEqual(try keychain.count(query), 0, "items with letter case")
                    }
                    query.match.caseInsensitive = true
                    // A server's name is ASCII to the network, so only ASCII's letters are the same.
                    let isExpected =
                        attribute.name == "server"
                        ? stored.lowercasedASCII == wanted.lowercasedASCII : isSame
                    try expectEqual(try keychain.count(query), isExpected ? 1 : 0, "items without")
                    query.attributes = attribute(stored)
                    try expectEqual(try keychain.count(query), 1, "items spelled as they are")
                }
            }
        }
        ConformanceCase("free data and protocols are always case-sensitive") { keychain in
            let generic = ItemAttributes { $0.generic = "data" }
            try keychain.add(.genericPassword, generic, secret: Secret("s"))
            let internet = ItemAttributes { $0.protocol = .http }
            try keychain.add(.internetPassword, internet, secret: Secret("s"))
            let queries = [
                Query(.genericPassword, ItemAttributes { $0.generic = "DATA" }),
                Query(.internetPassword, ItemAttributes { $0.protocolText = "HTTP" }),
            ]
            for query in queries {
                let query = query.with { $0.match.caseInsensitive = true }
                try expectEqual(try keychain.count(query), 0)
            }
        }
        ConformanceCase("without letter case several items match") { keychain in
            try keychain.addAccounts("Me", "you", "ME", "me")
            let query = Query.account("mE").with { $0.match.caseInsensitive = true }
            try expectEqual(try keychain.accounts(query), ["me", "ME", "Me"])
        }
    }

    private static let spellings:
        [(name: String, stored: ByteString, wanted: ByteString, isSame: Bool)] = [
            ("ASCII", "Host.Example", "hOST.eXAMPLE", true),
            ("letters beyond ASCII", "B\u{DC}CHER", "b\u{FC}cher", true),
            // U+212A is a capital letter; the small one is the ASCII k.
            ("a Kelvin sign", "\u{212A}elvin", "kelvin", true),
            ("not UTF-8", ByteString([0xFF, 0x41]), ByteString([0xFF, 0x61]), true),
            ("composed and not", "caf\u{E9}", "CAFE\u{301}", false),
            ("another text", "one", "ones", false),
            ("a part of it", "ones", "ONE", false),
        ]
}
