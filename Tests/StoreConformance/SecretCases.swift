import KeychainServices

extension StoreConformance {
    @ConformanceCases static var secretCases: [ConformanceCase] {
        for size in sizes {
            ConformanceCase("a secret of \(size) bytes comes back, added and updated") { keychain in
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
                try keychain.add(.genericPassword, .account("a"), secret: Secret(bytes: bytes))
                try expect(
                    try keychain.onlyItem(.account("a")).secret == bytes, "it was not the same")
                try keychain.add(.genericPassword, .account("b"), secret: Secret("short"))
                try keychain.update(.account("b"), secret: Secret(bytes: bytes))
                try expect(
                    try keychain.onlyItem(.account("b")).secret == bytes, "it was not the same")
                try keychain.update(.account("b"), secret: Secret("short"))
                try expectEqual(
                    try keychain.onlyItem(.account("b")).secret, Array("short".utf8))
            }
        }
        for size in [Keychain.secretLimit + 1, Keychain.secretLimit + 4096] {
            ConformanceCase("a secret of \(size) bytes is too large") { keychain in
                try keychain.addAccounts("a")
                let secret = Secret(bytes: Array(repeating: 7, count: size))
                try keychain.expectRefusal(.dataTooLarge) {
                    try keychain.add(.genericPassword, .account("b"), secret: secret)
                }
                try keychain.expectRefusal(.dataTooLarge) {
                    try keychain.update(.account("a"), secret: secret.copy())
                }
            }
        }
        ConformanceCase("a secret has any bytes") { keychain in
            let bytes: [[UInt8]] = [
                Array(0...255), [0], [0, 0, 0], Array(repeating: 0, count: 64),
                Array("password\n".utf8), [0xFF, 0xFE], Array("caf\u{E9}".utf8),
            ]
            for bytes in bytes {
                try keychain.add(
                    .genericPassword, ItemAttributes { $0.account = ByteString(bytes) },
                    secret: Secret(bytes: bytes))
            }
            for item in try keychain.items(.genericPassword) {
                try expectEqual(item.secret, item.attributes.account?.bytes)
            }
        }
        ConformanceCase("an empty secret is a secret") { keychain in
            try keychain.add(.genericPassword, .account("a"), secret: Secret(""))
            switch try keychain.copyMatching(.account("a", returns: .data)) {
            case .item(let item): try expectEqual(item.secretBytes, [])
            default: try expect(false, "no item was returned")
            }
        }
    }

    private static let sizes = [
        0, 1, 63, 64, 65, 4095, 4096, 4097, 65_535, 65_536, 1 << 20, Keychain.secretLimit,
    ]
}
