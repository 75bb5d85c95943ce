import KeychainServices

extension StoreConformance {
    @ConformanceCases static var certificateCases: [ConformanceCase] {
        ConformanceCase("a certificate's attributes are those of its data") { keychain in
            let keychain = keychain.withCertificates
            let claimed = ItemAttributes {
                $0.issuer = "forged"
                $0.notValidAfter = Timestamp(secondsSinceEpoch: 9)
                $0.label = "mine"
            }
            try keychain.add(
                .certificate, claimed,
                secret: ToyCertificates.certificate("Ada", issuer: "Root", emails: ["a@b.c"]))
            let found = try keychain.onlyItem(Query(.certificate)).attributes
            try expectEqual(found.subject, "Ada")
            try expectEqual(found.issuer, "Root")
            try expectEqual(found.serialNumber, "1")
            try expectEqual(found.publicKeyHash, "K")
            try expectEqual(found.certificateType, 3)
            try expectEqual(found.notValidBefore?.secondsSinceEpoch, 100)
            try expectEqual(found.notValidAfter?.secondsSinceEpoch, 200)
            try expectEqual(found.emailAddresses ?? [], ["a@b.c"])
            try expectEqual(found.label, "mine")
            try expectEqual(found.accessible, .always)
        }
        ConformanceCase("a certificate without a label is named after its subject") { keychain in
            let keychain = keychain.withCertificates
            try keychain.addCertificates("Ada")
            try expectEqual(try keychain.onlyItem(Query(.certificate)).attributes.label, "Ada")
        }
        ConformanceCase("a program that can't read certificates stores none") { keychain in
            try keychain.expectRefusal(.unimplemented) {
                try keychain.add(
                    .certificate, ItemAttributes(), secret: ToyCertificates.certificate("Ada"))
            }
        }
        ConformanceCase("anything but a certificate is refused") { keychain in
            let keychain = keychain.withCertificates
            try keychain.expectRefusal(.decode) {
                try keychain.add(.certificate, ItemAttributes(), secret: Secret("no"))
            }
        }
        ConformanceCase("a certificate with too long a name is refused") { keychain in
            let keychain = keychain.withCertificates
            try keychain.expectRefusal(.dataTooLarge) {
                try keychain.addCertificates(String(repeating: "x", count: 65_536))
            }
        }
        ConformanceCase("a certificate's label that is given as data stays data") { keychain in
            let keychain = keychain.withCertificates
            var given = ItemAttributes { $0.label = "mine" }
            given.markAsData(.label)
            try keychain.add(.certificate, given, secret: ToyCertificates.certificate("Ada"))
            let found = try keychain.onlyItem(Query(.certificate)).attributes
            try expectEqual(found.entries.filter(\.isData).map(\.attribute), [.label])
        }
        ConformanceCase("issuer and serial number make a certificate unique") { keychain in
            let keychain = keychain.withCertificates
            try keychain.addCertificates("Ada")
            try keychain.expectRefusal(.duplicateItem) { try keychain.addCertificates("Bob") }
            try keychain.add(
                .certificate, ItemAttributes(),
                secret: ToyCertificates.certificate("Ada", serial: "2"))
            try keychain.add(
                .certificate, ItemAttributes(),
                secret: ToyCertificates.certificate("Ada", issuer: "other"))
            try expectEqual(try keychain.count(Query(.certificate)), 3)
            let wanted = ItemAttributes {
                $0.issuer = "bad"
                $0.serialNumber = "2"
            }
            try expectEqual(try keychain.count(Query(.certificate, wanted)), 1)
        }
        ConformanceCase("a certificate can be found by each part") { keychain in
            let keychain = keychain.withCertificates
            try keychain.addSamples()
            for (set, count) in parts {
                try expectEqual(
                    try keychain.count(Query(.certificate, ItemAttributes(set))), count)
            }
        }
        ConformanceCase("attributes that a certificate says can't be set") { keychain in
            let keychain = keychain.withCertificates
            try keychain.addCertificates("Ada")
            let query = Query(.certificate)
            try keychain.expectRefusal(.param) {
                try keychain.update(query, ItemAttributes { $0.issuer = "other" })
            }
            try keychain.update(query, ItemAttributes { $0.label = "new" })
            let changed = try keychain.onlyItem(query).attributes
            try expectEqual(changed.label, "new")
            try expectEqual(changed.notValidAfter?.secondsSinceEpoch, 200)
        }
        ConformanceCase("new data of a certificate changes what it says") { keychain in
            let keychain = keychain.withCertificates
            try keychain.add(
                .certificate, ItemAttributes { $0.label = "mine" },
                secret: ToyCertificates.certificate("Ada", emails: ["a@b.c"]))
            let query = Query(.certificate)
            let data = ToyCertificates.certificate("Bob", valid: 1...2)
            try keychain.update(query, secret: data.copy())
            let changed = try keychain.onlyItem(query)
            try expectEqual(changed.secret, data.bytes)
            try expectEqual(changed.attributes.subject, "Bob")
            try expectEqual(changed.attributes.notValidAfter?.secondsSinceEpoch, 2)
            try expectEqual(changed.attributes.emailAddresses ?? [], [])
            try expectEqual(changed.attributes.label, "mine")
            try expectEqual(changed.attributes.accessible, .always)
            try keychain.expectRefusal(.decode) {
                try keychain.update(query, secret: Secret("no"))
            }
        }
        ConformanceCase("a certificate is no secret") { keychain in
            let keychain = keychain.withCertificates
            try keychain.expectRefusal(.param) {
                try keychain.add(
                    .certificate,
                    ItemAttributes { $0.accessControl = AccessControl(flags: .userPresence) },
                    secret: ToyCertificates.certificate("Ada"))
            }
            try keychain.addCertificates("Ada")
            try keychain.update(
                Query(.certificate), ItemAttributes { $0.accessible = .whenUnlocked })
            try expectEqual(
                try keychain.onlyItem(Query(.certificate)).attributes.accessible, .always)
        }
        for (name, set, labels) in certificateOptions {
            ConformanceCase("certificates by \(name)") { keychain in
                let keychain = keychain.withCertificates
                try keychain.addSamples()
                let query = Query(.certificate).with { set(&$0.match) }
                let found = try keychain.items(query).map { $0.attributes.label ?? "" }
                try expectEqual(found.sorted { "\($0)" < "\($1)" }, labels)
            }
        }
        ConformanceCase("a limit counts trusted certificates alone") { keychain in
            let keychain = keychain.withCertificates
            try keychain.addSamples()
            let query = Query(.certificate, returns: .attributes).with {
                $0.match.trustedOnly = true
                $0.match.limit = .atMost(1)
            }
            var count = 0
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                count += item.attributes?.issuer == "good" && item.secretBytes == nil ? 1 : 100
                return .next
            }
            try expectEqual(count, 1)
        }
        ConformanceCase("a trusted certificate has its readable data") { keychain in
            let keychain = keychain.withCertificates
            try keychain.addSamples()
            let query = Query(.certificate, returns: .readableData).with {
                $0.match.trustedOnly = true
            }
            var count = 0
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                count += item.secretBytes == nil ? 100 : 1
                return .next
            }
            try expectEqual(count, 1)
        }
    }

    private static let parts: [(@Sendable (inout ItemAttributes) -> Void, Int)] = [
        ({ $0.issuer = "good" }, 2), ({ $0.serialNumber = "1" }, 2), ({ $0.subject = "Ada" }, 1),
        ({ $0.publicKeyHash = "K" }, 2), ({ $0.publicKeyHash = "X" }, 0),
        ({ $0.label = "Bob" }, 1), ({ $0.issuer = "" }, 0),
    ]

    private static let certificateOptions:
        [(String, @Sendable (inout MatchOptions) -> Void, [ByteString])] = [
            ("a part of the subject", { $0.subject = [.contains("o")] }, ["Bob", "Zo\u{EB}"]),
            ("the subject's beginning", { $0.subject = [.startsWith("A")] }, ["Ada"]),
            ("the subject's end", { $0.subject = [.endsWith("b")] }, ["Bob"]),
            (
                "several parts of the subject",
                { $0.subject = [.contains("o"), .startsWith("B"), .endsWith("b")] }, ["Bob"]
            ),
            (
                "parts of which one is missing", { $0.subject = [.contains("o"), .contains("x")] },
                []
            ),
            ("the whole subject", { $0.subject = [.wholeString("Bo")] }, []),
            (
                "a subject in another letter case",
                {
                    $0.subject = [.wholeString("BOB")]
                    $0.caseInsensitive = true
                }, ["Bob"]
            ),
            (
                "a subject without its accents",
                {
                    $0.subject = [.endsWith("oe")]
                    $0.diacriticInsensitive = true
                }, ["Zo\u{EB}"]
            ),
            ("issuers", { $0.issuers = ["good", "other"] }, ["Bob", "Zo\u{EB}"]),
            ("no issuer", { $0.issuers = [] }, []),
            (
                "an e-mail address, if there is one", { $0.emailAddressIfPresent = "BOB@x.org" },
                ["Ada", "Bob"]
            ),
            (
                "a date",
                { $0.validOnDate = Timestamp(secondsSinceEpoch: 150) }, ["Ada", "Zo\u{EB}"]
            ),
            ("the last second", { $0.validOnDate = Timestamp(secondsSinceEpoch: 200) }, ["Ada"]),
            ("trust", { $0.trustedOnly = true }, ["Bob", "Zo\u{EB}"]),
        ]
}

extension Keychain {
    fileprivate func addCertificates(_ subjects: String...) throws {
        for subject in subjects {
            try add(
                .certificate, ItemAttributes(), secret: ToyCertificates.certificate(subject))
        }
    }

    /// Adds three certificates that differ in everything.
    fileprivate func addSamples() throws {
        try addCertificates("Ada")
        try add(
            .certificate, ItemAttributes(),
            secret: ToyCertificates.certificate(
                "Bob", issuer: "good", valid: 0...99, emails: ["bob@x.org"]))
        try add(
            .certificate, ItemAttributes(),
            secret: ToyCertificates.certificate(
                "Zo\u{EB}", issuer: "good", serial: "2", key: "L", valid: 0...199,
                emails: ["zoe@x.org"]))
    }
}
