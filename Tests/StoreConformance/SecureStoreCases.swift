import KeychainServices

extension StoreConformance {
    @ConformanceCases static var secureStoreCases: [ConformanceCase] {
        for (name, queryable) in queryables {
            ConformanceCase("a secure store for \(name) sets, replaces and removes a value") {
                keychain in
                let store = SecureStore(keychain: keychain, queryable: queryable())
                try expectEqual(try store.bytes("a"), nil)
                try store.setValue("first", for: "a")
                try expectEqual(try store.bytes("a"), Array("first".utf8))
                try store.setValue(Secret("second"), for: "a")
                try expectEqual(try store.bytes("a"), Array("second".utf8))
                try expectEqual(try keychain.contents().count, 1)
                try store.removeValue(for: "a")
                try expectEqual(try store.bytes("a"), nil)
                try expectEqual(try keychain.contents(), [])
            }
            ConformanceCase("a secure store for \(name) removes all values and no others") {
                keychain in
                let store = SecureStore(keychain: keychain, queryable: queryable())
                try store.removeValue(for: "a")
                try store.removeAllValues()
                try keychain.addAccounts("other")
                let other = try keychain.contents()
                for account in ["a", "b", ""] as [ByteString] {
                    try store.setValue("s", for: account)
                }
                try store.removeAllValues()
                try store.removeAllValues()
                try expectEqual(try keychain.contents(), other)
            }
            ConformanceCase("a secure store for \(name) writes nothing for the same value") {
                keychain in
                let store = SecureStore(keychain: keychain, queryable: queryable())
                try store.setValue("s", for: "a")
                try store.setValue("s", for: "b")
                let before = try keychain.contents()
                try store.setValue("s", for: "a")
                try expectEqual(try keychain.contents(), before)
            }
        }
    }

    private static let queryables:
        [(name: String, make: @Sendable () -> any SecureStoreQueryable)] = [
            ("a service", { GenericPasswordQueryable(service: "service") }),
            ("a server", { InternetPasswordQueryable(server: "host") }),
            (
                "a server with all parts",
                {
                    InternetPasswordQueryable(
                        server: "host", port: 443, path: "path", securityDomain: "realm",
                        protocol: .https, authenticationType: .httpBasic, accessGroup: "group")
                }
            ),
        ]
}

extension SecureStore {
    fileprivate func bytes(_ account: ByteString) throws -> [UInt8]? {
        try getValue(for: account)?.bytes
    }
}
