import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// Names, and which of them are the same: RFC 5280, section 7.1.
@Suite struct DistinguishedNameTests {
    let key: PrivateKey

    init() throws {
        key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
    }

    private func certificate(_ name: [UInt8]) throws -> Certificate {
        try CertificateDraft(name, key).certificate()
    }

    private func normalized(_ value: [UInt8]) throws -> [UInt8] {
        try certificate(DER.name((DER.commonName, value))).normalizedSubject
    }

    @Test func equalNames() throws {
        for (left, right) in [
            (DER.utf8("Ada"), DER.printable("ADA")), (DER.utf8("Ada"), DER.ia5("ada")),
            (DER.utf8("Ada  Lovelace"), DER.printable(" ada lovelace  ")),
            (DER.utf8("Ada"), DER.bmp("ada")),
            (DER.utf8("Zoë"), DER.element(0x14, [0x5A, 0x6F, 0xEB])),
            (DER.utf8("ZOË"), DER.utf8("zoë")), (DER.utf8("ÅSA"), DER.utf8("a\u{30A}sa")),
            (DER.utf8("Straße"), DER.utf8("STRASSE")), (DER.utf8("ΣΊΣΥΦΟΣ"), DER.utf8("σίσυφος")),
            (DER.utf8("a\u{A0}b"), DER.utf8("a b")), (DER.utf8("a\tb"), DER.utf8("a \n b")),
            (DER.utf8("soft\u{AD}ware"), DER.utf8("software")),
            (DER.utf8("\u{212B}"), DER.utf8("å")), (DER.utf8("ЖУК"), DER.bmp("жук")),
            (DER.utf8("ﬁ"), DER.utf8("FI")), (DER.utf8("ẞ"), DER.utf8("ss")),
            (DER.utf8(""), DER.utf8("  ")),
            (DER.element(0x1C, [0, 0, 0, 0x41, 0, 1, 0xF6, 0]), DER.utf8("a😀")),
        ] {
            #expect(try normalized(left) == normalized(right), "\(left) \(right)")
        }
    }

    @Test func differentNames() throws {
        for (left, right) in [
            (DER.utf8("Ada"), DER.utf8("Ida")), (DER.utf8("Ada"), DER.utf8("Adá")),
            (DER.utf8("A da"), DER.utf8("Ada")), (DER.utf8("a"), DER.utf8("а")),
            (DER.utf8("a😀"), DER.utf8("a😁")), (DER.utf8("ı"), DER.utf8("i")),
            (DER.utf8(""), DER.utf8("a")),
            // No texts.
            (DER.element(0x03, [0, 0xF0]), DER.element(0x03, [4, 0xF0])),
            (DER.element(0x03, [0, 0x41]), DER.utf8("A")),
        ] {
            #expect(try normalized(left) != normalized(right), "\(left) \(right)")
        }
        let (one, two) = (
            (DER.commonName, DER.utf8("a")), (DER.organization, DER.utf8("b"))
        )
        #expect(
            try certificate(DER.name(one, two)).normalizedSubject
                != certificate(DER.name(two, one)).normalizedSubject)
        let both = DER.attribute(one.0, one.1) + DER.attribute(two.0, two.1)
        let several = DER.element(0x30, DER.element(0x31, both))
        #expect(
            try certificate(DER.name(one, two)).normalizedSubject
                != certificate(several).normalizedSubject)
    }

    /// Attributes of one set have no order.
    @Test func setsHaveNoOrder() throws {
        let (one, two) = (
            DER.attribute(DER.commonName, DER.utf8("Ada")), DER.attribute(DER.unit, DER.utf8("b"))
        )
        let left = DER.sequence(DER.set(one, two))
        let right = DER.sequence(DER.set(two, DER.attribute(DER.commonName, DER.utf8("ADA"))))
        #expect(try certificate(left).normalizedSubject == certificate(right).normalizedSubject)
        #expect(try certificate(left).normalizedSubject.first == 0x30)
    }

    @Test func emptyNames() throws {
        let certificate = try certificate(DER.sequence())
        #expect(certificate.subject == [0x30, 0] && certificate.normalizedSubject == [0x30, 0])
        #expect(certificate.subjectDescription.isEmpty && certificate.subjectSummary.isEmpty)
    }

    /// libcrypto reads no certificate with such a name.
    @Test func refusesTextsThatAreNone() throws {
        for value in [
            DER.element(0x0C, [0xFF, 0xFE]), DER.element(0x1E, [0, 0x41, 0]),
            DER.element(0x1C, [0, 0x11, 0, 0]), DER.bmp("😀"), DER.octetString([0x41]),
        ] {
            #expect(throws: KeychainError(.decode)) { try normalized(value) }
        }
    }

    @Test func controlCharactersAndNULs() throws {
        let name = DER.name((DER.commonName, DER.utf8("a\u{1B}[31m\0b\r\nc\u{85}d")))
        let certificate = try certificate(name)
        for text in [certificate.subjectSummary, certificate.subjectDescription] {
            #expect(
                !text.unicodeScalars.contains { $0.properties.generalCategory == .control },
                "\(text)")
        }
        #expect(certificate.subjectSummary == "a [31m b  c d")
        let other = try self.certificate(DER.common("a [31m b c d"))
        #expect(other.normalizedSubject != certificate.normalizedSubject)
    }

    @Test func summaries() throws {
        for (name, summary) in [
            (DER.common("Ada"), "Ada"), (DER.name((DER.organization, DER.utf8("Org"))), "Org"),
            (
                DER.name((DER.commonName, DER.utf8("one")), (DER.commonName, DER.utf8("two"))),
                "two"
            ),
            (
                DER.name((DER.organization, DER.utf8("Org")), (DER.commonName, DER.utf8(" \t"))),
                "Org"
            ),
            (DER.name((DER.email, DER.ia5("ada@example.com"))), "ada@example.com"),
            (DER.name((DER.country, DER.printable("FR"))), "C=FR"),
        ] {
            #expect(try certificate(name).subjectSummary == summary)
        }
    }

    @Test func emailAddresses() throws {
        let draft = CertificateDraft(
            DER.name(
                (DER.email, DER.ia5("ada@example.com")), (DER.email, DER.ia5("bob@example.com")),
                (DER.email, DER.ia5("nobody"))), key)
        var both = draft
        both.extensions = [
            Extension.alternativeNames(
                Extension.mail("carl@example.com"), Extension.mail("ada@example.com"))
        ]
        #expect(try draft.certificate().emailAddresses == ["ada@example.com", "bob@example.com"])
        #expect(
            try both.certificate().emailAddresses == [
                "carl@example.com", "ada@example.com", "bob@example.com",
            ])
    }
}
