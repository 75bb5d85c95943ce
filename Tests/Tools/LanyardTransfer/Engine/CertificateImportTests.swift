import LanyardTransfer
import KeychainServices
import Testing

@Suite("Certificates and keys are imported") struct CertificateImportTests {
    private let source = keychain()
    private let target = keychain()

    private static func keychain() -> Keychain {
        Keychain(InMemoryStore { Timestamp(secondsSinceEpoch: 1_700_000_000) }, accessGroup: "g")
            .using(OneByteCertificates())
    }

    private func copy(_ replaces: ItemImporter.Replacing = .none) throws -> ImportReport {
        var options = ItemImporter.Options()
        options.replaces = replaces
        let importer = ItemImporter(into: target, options)
        importer.begin("SOURCE")
        try KeychainSource(source).forEach { record throws(KeychainError) in
            try importer.take(record)
        }
        try importer.finish()
        return importer.report
    }

    private func labels(_ keychain: Keychain) throws -> [ByteString?] {
        var labels: [ByteString?] = []
        for itemClass in [ItemClass.certificate, .key] {
            var query = Query(itemClass, returns: .attributes)
            query.match.limit = .all
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                labels.append(item.attributes?.label)
                return .next
            }
        }
        return labels
    }

    @Test func newAndThenTheSame() throws {
        try source.add(.certificate, ItemAttributes(), secret: Secret("A"))
        try source.add(.certificate, ItemAttributes(), secret: Secret("B"))
        var key = ItemAttributes()
        key.applicationTag = "t"
        key.label = "key"
        try source.add(.key, key, secret: Secret("\0"))
        let first = try copy()
        #expect((first.new, first.skipped) == (3, 0))
        #expect(try labels(target) == ["B", "A", "key"])
        let second = try copy()
        #expect((second.new, second.same) == (0, 3))
    }

    /// It has another label: a certificate can't be changed, so it is stored anew.
    @Test func replaced() throws {
        var named = ItemAttributes()
        named.label = "other"
        try source.add(.certificate, named, secret: Secret("A"))
        try target.add(.certificate, ItemAttributes(), secret: Secret("A"))
        #expect(try copy().differing == 1)
        #expect(try labels(target) == ["A"])
        #expect(try copy(.all).changed == 1)
        #expect(try labels(target) == ["other"])
    }
}

/// Reads a certificate of one letter, which is its serial number and its name.
private final class OneByteCertificates: CertificateDecoding {
    func attributes(ofCertificate data: Span<UInt8>) throws(KeychainError) -> ItemAttributes {
        guard data.count == 1 else {
            throw KeychainError(.decode)
        }
        var attributes = ItemAttributes()
        attributes.serialNumber = ByteString([data[0]])
        attributes.label = attributes.serialNumber
        return attributes
    }

    func attributes(
        ofKey data: borrowing Secret, _ keyClass: KeyClass, _ keyType: KeyType
    ) -> ItemAttributes? {
        nil
    }

    func isTrusted(_ data: Span<UInt8>, on date: Timestamp?) -> Bool { false }
}
