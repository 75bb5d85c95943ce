import KeychainServices

extension StoreConformance {
    @ConformanceCases static var certificateIdentityCases: [ConformanceCase] {
        ConformanceCase("an identity is a certificate and its private key") { keychain in
            let keychain = keychain.withCertificates
            try keychain.add("Ada", key: "K")
            try keychain.expectRefusal(.itemNotFound) {
                _ = try keychain.copyMatching(Query(.identity, returns: .reference))
            }
            try keychain.add("Bob", key: "L")
            try keychain.add(.key, .privateKey, secret: ToyCertificates.privateKey("L"))
            let found = try keychain.onlyItem(Query(.identity))
            try expectEqual(found.attributes.label, "Bob")
            try expectEqual(found.attributes.canSign, true)
            try expectEqual(
                found.secret, ToyCertificates.certificate("Bob", serial: "Bob", key: "L").bytes)
            let again = try keychain.onlyItem(
                Query(found.reference.persistentReference))
            try expectEqual(again.attributes.label, "Bob")
            let key = try keychain.onlyItem(Query(privateKeyOf: found.attributes))
            try expectEqual(key.secret, ToyCertificates.privateKey("L").bytes)
        }
        ConformanceCase("an identity is found by its certificate and its key") { keychain in
            let keychain = keychain.withCertificates
            for name in ["Ada", "Bob"] {
                try keychain.add(name, key: name)
                try keychain.add(.key, .privateKey, secret: ToyCertificates.privateKey(name))
            }
            let labels = { (query: Query) in
                try keychain.items(query).map(\.attributes.label)
            }
            let query = Query(.identity)
            try expectEqual(try labels(query), ["Bob", "Ada"])
            try expectEqual(try labels(query.with { $0.match.subject = [.contains("B")] }), ["Bob"])
            try expectEqual(
                try labels(query.with { $0.attributes.applicationLabel = "Ada" }), ["Ada"])
            try expectEqual(try labels(query.with { $0.attributes.canSign = false }), [])
            try expectEqual(try labels(query.with { $0.attributes.keyClass = .public }), [])
            var count = 0
            let limited = query.with {
                $0.returns = .reference
                $0.match.limit = .atMost(1)
            }
            try keychain.forEachMatch(limited) { _ in
                count += 1
                return .next
            }
            try expectEqual(count, 1)
        }
        ConformanceCase("an identity can't be added or changed as one") { keychain in
            let keychain = keychain.withCertificates
            try keychain.expectRefusal(.param) {
                try keychain.add(
                    .identity, ItemAttributes(), secret: ToyCertificates.certificate("Ada"))
            }
            try keychain.expectRefusal(.unimplemented) {
                try keychain.update(Query(.identity), ItemAttributes { $0.label = "l" })
            }
        }
        ConformanceCase("an identity is deleted with its key") { keychain in
            let keychain = keychain.withCertificates
            try keychain.add("Ada", key: "K")
            try keychain.add("Bob", key: "L")
            try keychain.add(.key, .privateKey, secret: ToyCertificates.privateKey("L"))
            try keychain.delete(Query(.identity))
            try expectEqual(
                try keychain.items(Query(.certificate)).map(\.attributes.label), ["Ada"])
            try expectEqual(try keychain.count(Query(.key)), 0)
            try keychain.expectRefusal(.itemNotFound) { try keychain.delete(Query(.identity)) }
        }
        ConformanceCase("an identity is found by its key's creator, and deleted without other keys")
        {
            keychain in
            let keychain = keychain.withCertificates
            try keychain.add("Ada", key: "K")
            for (tag, creator) in [("a", "lany"), ("b", "none")]
                as [(ByteString, FourCharacterCode)]
            {
                let attributes = ItemAttributes {
                    $0.applicationTag = tag
                    $0.creator = creator
                }
                try keychain.add(
                    .key, ItemAttributes.privateKey.merging(attributes),
                    secret: ToyCertificates.privateKey())
            }
            let query = Query(.identity, ItemAttributes { $0.creator = "lany" })
            let found = try keychain.onlyItem(query).attributes
            try expectEqual(found.applicationTag, "a")
            try expectEqual(found.creator, "lany")
            try keychain.delete(query)
            try expectEqual(try keychain.onlyItem(Query(.key)).attributes.applicationTag, "b")
        }
        ConformanceCase("two certificates of one key are two identities") { keychain in
            let keychain = keychain.withCertificates
            try keychain.add("Ada", key: "K")
            try keychain.add("Bob", key: "K")
            try keychain.add(.key, .privateKey, secret: ToyCertificates.privateKey())
            try expectEqual(try keychain.count(Query(.identity)), 2)
            try keychain.delete(Query(.identity))
            try expectEqual(try keychain.contents().count, 0)
        }
        ConformanceCase("an identity's key stays for another certificate") { keychain in
            let keychain = keychain.withCertificates
            try keychain.add("old", key: "K")
            try keychain.add("renewed", key: "K")
            try keychain.add(.key, .privateKey, secret: ToyCertificates.privateKey())
            let identities = try keychain.items(Query(.identity))
            try expectEqual(identities.map(\.attributes.label), ["renewed", "old"])
            try keychain.delete(Query(identities[1].reference))
            try expectEqual(try keychain.onlyItem(Query(.identity)).attributes.label, "renewed")
            try keychain.delete(Query(identities[0].reference))
            try expectEqual(try keychain.contents().count, 0)
        }
        ConformanceCase("an identity is deleted with the keys of its group alone") { keychain in
            let keychain = keychain.withCertificates
                .using(AccessGroups("app", others: ["shared"]))
            let identity = { (group: ByteString) in
                Query(.identity, ItemAttributes { $0.accessGroup = group })
            }
            for isNamed in [true, false] {
                for group in ["app", "shared"] as [ByteString] {
                    let attributes = ItemAttributes { $0.accessGroup = group }
                    try keychain.add("Ada", key: "K", attributes)
                    try keychain.add(
                        .key, ItemAttributes.privateKey.merging(attributes),
                        secret: ToyCertificates.privateKey())
                }
                let reference = try keychain.onlyItem(identity("shared")).reference
                try keychain.delete(isNamed ? identity("shared") : Query(reference))
                try expectEqual(
                    try keychain.contents().map(\.attributes.accessGroup), ["app", "app"])
                try keychain.delete(identity("app"))
                try expectEqual(try keychain.contents().count, 0)
            }
        }
        ConformanceCase("a key of another group than the query's makes no identity") { keychain in
            let keychain = keychain.withCertificates
                .using(AccessGroups("app", others: ["shared"]))
            let shared = ItemAttributes { $0.accessGroup = "shared" }
            try keychain.add("Ada", key: "K", shared)
            try keychain.add(.key, .privateKey, secret: ToyCertificates.privateKey())
            try keychain.expectRefusal(.itemNotFound) {
                try keychain.delete(Query(.identity, shared))
            }
            try keychain.delete(Query(.identity))
            try expectEqual(try keychain.contents().count, 0)
        }
    }
}

extension Keychain {
    fileprivate func add(
        _ subject: String, key: String, _ attributes: ItemAttributes = ItemAttributes()
    ) throws {
        try add(
            .certificate, attributes,
            secret: ToyCertificates.certificate(subject, serial: subject, key: key))
    }
}
