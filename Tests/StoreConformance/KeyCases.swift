import KeychainServices

extension StoreConformance {
    @ConformanceCases static var keyCases: [ConformanceCase] {
        ConformanceCase("a private key says its size, name and use") { keychain in
            let keychain = keychain.withCertificates
            try keychain.add(.key, .privateKey, secret: ToyCertificates.privateKey())
            let found = try keychain.onlyItem(Query(.key))
            try expectEqual(found.attributes.keyClass, .private)
            try expectEqual(found.attributes.keyType, .rsa)
            try expectEqual(found.attributes.keySizeInBits, 2048)
            try expectEqual(found.attributes.effectiveKeySize, 2048)
            try expectEqual(found.attributes.applicationLabel, "K")
            try expectEqual(found.attributes.canSign, true)
            try expectEqual(found.attributes.accessible, .whenUnlocked)
            try expectEqual(found.secret, ToyCertificates.privateKey().bytes)
        }
        ConformanceCase("a key keeps the name and the uses that it is given") { keychain in
            let keychain = keychain.withCertificates
            var attributes = ItemAttributes.privateKey
            attributes.applicationLabel = "mine"
            attributes.canSign = false
            attributes.keySizeInBits = 7
            try keychain.add(.key, attributes, secret: ToyCertificates.privateKey())
            let found = try keychain.onlyItem(Query(.key)).attributes
            try expectEqual(found.applicationLabel, "mine")
            try expectEqual(found.canSign, false)
            try expectEqual(found.keySizeInBits, 2048)
        }
        ConformanceCase("a key's label that is given as data stays data") { keychain in
            let keychain = keychain.withCertificates
            var given = ItemAttributes.privateKey
            given.label = "mine"
            given.markAsData(.label)
            try keychain.add(.key, given, secret: ToyCertificates.privateKey())
            let found = try keychain.onlyItem(Query(.key)).attributes
            try expectEqual(found.entries.filter(\.isData).map(\.attribute), [.label])
        }
        ConformanceCase("anything can be stored as a key") { keychain in
            for keychain in [keychain, keychain.withCertificates] {
                let attributes = ItemAttributes {
                    $0.applicationTag = keychain.decoder == nil ? "a" : "b"
                    $0.keySizeInBits = 512
                }
                try keychain.add(.key, attributes, secret: Secret("\0\u{1}any"))
                let found = try keychain.onlyItem(Query(.key, attributes))
                try expectEqual(found.secret, Array("\0\u{1}any".utf8))
                try expectEqual(found.attributes.keyType, nil)
                try expectEqual(found.attributes.keySizeInBits, 512)
            }
        }
        for (name, set) in keyIdentity {
            ConformanceCase("keys with another \(name) differ") { keychain in
                let attributes = ItemAttributes { $0.applicationTag = "t" }
                try keychain.add(.key, attributes, secret: Secret("1"))
                try keychain.expectRefusal(.duplicateItem) {
                    try keychain.add(.key, attributes, secret: Secret("2"))
                }
                var other = attributes
                set(&other)
                try keychain.add(.key, other, secret: Secret("3"))
                try expectEqual(
                    try keychain.onlyItem(Query(.key, ItemAttributes(set))).secret,
                    Array("3".utf8))
            }
        }
        for (name, set) in keyUses {
            ConformanceCase("keys by \(name)") { keychain in
                try keychain.add(.key, .tagged("no"), secret: Secret("1"))
                try keychain.add(
                    .key, ItemAttributes.tagged("yes").merging(ItemAttributes(set)),
                    secret: Secret("2"))
                let found = try keychain.onlyItem(Query(.key, ItemAttributes(set)))
                try expectEqual(found.attributes.applicationTag, "yes")
            }
        }
        ConformanceCase("a key is changed") { keychain in
            try keychain.add(.key, .tagged("a"), secret: Secret("1"))
            try keychain.add(.key, .tagged("b"), secret: Secret("2"))
            try keychain.update(
                Query(.key, .tagged("a")), ItemAttributes { $0.label = "new" },
                secret: Secret("3"))
            let found = try keychain.onlyItem(Query(.key, .tagged("a")))
            try expectEqual(found.attributes.label, "new")
            try expectEqual(found.secret, Array("3".utf8))
            try keychain.expectRefusal(.duplicateItem) {
                try keychain.update(Query(.key, .tagged("a")), .tagged("b"))
            }
            try keychain.delete(Query(.key, .tagged("b")))
            try expectEqual(try keychain.count(Query(.key)), 1)
        }
        ConformanceCase("a password has no attribute of a key") { keychain in
            try keychain.expectRefusal(.noSuchAttribute) {
                try keychain.add(.genericPassword, .tagged("a"), secret: Secret("1"))
            }
            try keychain.expectRefusal(.noSuchAttribute) {
                try keychain.add(.key, .account("a"), secret: Secret("1"))
            }
        }
        ConformanceCase("only a key can have privateKeyUsage") { keychain in
            let usage = ItemAttributes {
                $0.accessControl = AccessControl(flags: .privateKeyUsage)
            }
            try keychain.expectRefusal(.param) {
                try keychain.add(.genericPassword, usage, secret: Secret("1"))
            }
            try keychain.add(.key, usage, secret: Secret("1"))
            let found = try keychain.onlyItem(Query(.key, usage))
            try expectEqual(found.attributes.accessControl?.flags, .privateKeyUsage)
            try expectEqual(found.secret, Array("1".utf8))
        }
        ConformanceCase("a key is any bytes, up to 64 KiB") { keychain in
            for size in [1, 255, 65_535, 65_536] {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
                let tag = ItemAttributes.tagged(ByteString(Array(bytes.prefix(300))))
                try keychain.add(.key, tag, secret: Secret(bytes: bytes))
                try expect(
                    try keychain.onlyItem(Query(.key, tag)).secret == bytes, "it was not the same")
                try keychain.delete(Query(.key, tag))
            }
        }
    }

    private static let keyIdentity: [(String, @Sendable (inout ItemAttributes) -> Void)] = [
        ("application label", { $0.applicationLabel = "l" }),
        ("application tag", { $0.applicationTag = "\0\u{FF}" }),
        ("class", { $0.keyClass = .symmetric }), ("type", { $0.keyType = .aes }),
        ("size", { $0.keySizeInBits = 70_000 }), ("effective size", { $0.effectiveKeySize = 1 }),
    ]

    private static let keyUses: [(String, @Sendable (inout ItemAttributes) -> Void)] = [
        ("canEncrypt", { $0.canEncrypt = true }), ("canDecrypt", { $0.canDecrypt = true }),
        ("canDerive", { $0.canDerive = true }), ("canSign", { $0.canSign = true }),
        ("canVerify", { $0.canVerify = true }), ("canWrap", { $0.canWrap = true }),
        ("canUnwrap", { $0.canUnwrap = true }), ("isPermanent", { $0.isPermanent = true }),
        ("creator", { $0.creator = "lany" }), ("label", { $0.label = "l" }),
    ]
}

extension ItemAttributes {
    fileprivate static func tagged(_ tag: ByteString) -> ItemAttributes {
        ItemAttributes { $0.applicationTag = tag }
    }
}
