import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// What certificates of unusual forms say of themselves.
@Suite struct CertificateFieldTests {
    let key: PrivateKey

    init() throws {
        key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
    }

    @Test func versions() throws {
        for (number, version) in [(nil, 1), ([1], 2), ([2], 3)] as [([UInt8]?, Int)] {
            var draft = CertificateDraft("a", key)
            draft.version = number
            #expect(try draft.certificate().version == version)
        }
        for number: [UInt8] in [
            [3], [0xFF], [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x80, 0, 0, 0, 0, 0, 0, 0], Array(repeating: 0x7F, count: 9),
        ] {
            var draft = CertificateDraft("a", key)
            draft.version = number
            #expect(throws: KeychainError(.decode)) { try draft.certificate() }
        }
    }

    @Test func serialNumbers() throws {
        for number: [UInt8] in [
            [0], [1], [0x7F], [0, 0x80], [0x80], [0xFF], [0xFF, 0x7F], [0x80, 0],
            [0x80] + Array(repeating: 0, count: 19), [0x7F] + Array(repeating: 0xFF, count: 19),
            [0, 0xFF] + Array(repeating: 0xAB, count: 19), Array(repeating: 0x42, count: 300),
        ] {
            var draft = CertificateDraft("a", key)
            draft.serialNumber = number
            #expect(try draft.certificate().serialNumber == number)
        }
        for number: [UInt8] in [[], [0, 1], [0xFF, 0x80]] {
            var draft = CertificateDraft("a", key)
            draft.serialNumber = number
            #expect(throws: KeychainError(.decode)) { try draft.certificate() }
        }
    }

    @Test(
        arguments: [
            (0x17, "500101000000Z", -631_152_000), (0x17, "491231235959Z", 2_524_607_999),
            (0x18, "20500101000000Z", 2_524_608_000), (0x18, "99991231235959Z", 253_402_300_799),
            (0x17, "691231235959Z", -1), (0x17, "700101000000Z", 0),
            (0x18, "00000101000000Z", -62_167_219_200), (0x18, "18991231235959Z", -2_208_988_801),
            (0x17, "000229120000Z", 951_825_600),
        ] as [(UInt8, String, Int64)])
    func dates(tag: UInt8, text: String, seconds: Int64) throws {
        var draft = CertificateDraft("a", key)
        draft.notBefore = DER.text(tag, text)
        draft.notAfter = DER.text(tag, text)
        let certificate = try draft.certificate()
        #expect(certificate.notValidBefore == Timestamp(secondsSinceEpoch: seconds))
        #expect(certificate.notValidAfter == Timestamp(secondsSinceEpoch: seconds))
    }

    @Test func refusesDatesThatAreNone() throws {
        for date in [
            DER.text(0x17, "490230000000Z"), DER.text(0x17, "4901010000"), DER.text(0x17, ""),
            DER.text(0x18, "20490101250000Z"), DER.text(0x18, "now"), DER.utf8("490101000000Z"),
        ] {
            var draft = CertificateDraft("a", key)
            draft.notAfter = date
            #expect(throws: KeychainError(.decode)) { try draft.certificate() }
        }
    }

    /// An identity is found by this digest, so it has to be the private key's.
    @Test func theKeysHashIsThatOfACompressedPointToo() throws {
        var draft = CertificateDraft("a", key)
        let point = key.publicKey.externalRepresentation
        draft.publicKey = DER.sequence(
            DER.sequence(
                DER.identifier("1.2.840.10045.2.1"), DER.identifier("1.2.840.10045.3.1.7")),
            DER.bitString([point[64] & 1 == 0 ? 2 : 3] + point[1...32]))
        let certificate = try draft.certificate()
        #expect(certificate.publicKey == key.publicKey)
        #expect(certificate.publicKeyHash == key.publicKey.hash)
    }

    /// The same certificate with other lengths would have another fingerprint.
    @Test func refusesOtherEncodings() throws {
        let bytes = try CertificateDraft("a", key).signed()
        let content = Array(bytes.dropFirst(4))
        #expect(bytes[1] == 0x82)
        for other in [
            [0x30, 0x83, 0] + bytes[2..<4] + content, [0x30, 0x80] + content + [0, 0],
            bytes + [0],
        ] {
            #expect(throws: KeychainError(.decode)) { try Certificate(der: other.span) }
        }
        // The algorithm beside the signature is in no signature.
        let identifier = Array(DER.identifier("1.2.840.10045.4.3.2").dropFirst(2))
        let algorithm = DER.sequence(DER.element(0x06, identifier))
        let start = try #require(content.ranges(of: algorithm).last).lowerBound
        let other = DER.element(
            0x30,
            content[..<start] + DER.sequence([0x06, 0x81, UInt8(identifier.count)] + identifier)
                + content[(start + algorithm.count)...])
        #expect(other.count == bytes.count + 1)
        #expect(throws: KeychainError(.decode)) { try Certificate(der: other.span) }
    }

    @Test func addresses() throws {
        for (bytes, text) in [
            ([127, 0, 0, 1], "127.0.0.1"), (Array(repeating: 0, count: 16), "::"),
            (Array(repeating: 0, count: 15) + [1], "::1"),
            ([0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1], "2001:db8::1"),
            ([0, 1] + Array(repeating: 0, count: 14), "1::"),
            ([0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0, 5], "1:0:2::3:4:5"),
            ([0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4], "1::2:0:0:3:4"),
            ([0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 4, 0, 5, 0, 6], "1:0:2:0:3:4:5:6"),
            (Array(repeating: 0xFF, count: 16), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ] as [([UInt8], String)] {
            let draft = CertificateDraft(
                "a", key, extensions: [Extension.alternativeNames(Extension.address(bytes))])
            #expect(try draft.certificate().addresses == [text])
        }
        // A network, and what is no address.
        for count in [0, 1, 5, 8, 15, 17, 32] {
            let draft = CertificateDraft(
                "a", key,
                extensions: [
                    Extension.alternativeNames(
                        Extension.address(Array(repeating: 1, count: count)),
                        Extension.host("a.example"))
                ])
            let certificate = try draft.certificate()
            #expect(certificate.addresses.isEmpty && certificate.dnsNames == ["a.example"])
        }
    }

    @Test func namesWithNULsAreNotHosts() throws {
        let draft = CertificateDraft(
            "a", key,
            extensions: [
                Extension.alternativeNames(
                    Extension.host("a.example\0.evil.example"), Extension.host("b.example"),
                    Extension.host("c\n.example"), Extension.host(""), Extension.host("ü.example"),
                    Extension.mail("ada@example.com"), Extension.mail("ada@example.com"),
                    Extension.mail("bob\0@example.com"))
            ])
        let certificate = try draft.certificate()
        #expect(certificate.dnsNames == ["b.example"])
        #expect(certificate.emailAddresses == ["ada@example.com"])
    }

    @Test func isAuthority() throws {
        for (extensions, isAuthority) in [
            ([], false), ([Extension.notAuthority], false), ([Extension.authority()], true),
            ([Extension.authority(), Extension.keyUsage(0x80)], false),
            ([Extension.authority(), Extension.keyUsage(0x04)], true),
            ([Extension.keyUsage(0x04)], false),
        ] as [([[UInt8]], Bool)] {
            let draft = CertificateDraft("a", key, extensions: extensions)
            #expect(try draft.certificate().isAuthority == isAuthority)
        }
    }

    @Test func isSelfSigned() throws {
        let other = CertificateDraft(
            "a", try PrivateKey(generating: .ellipticCurve, sizeInBits: 256))
        #expect(try CertificateDraft("a", key).certificate().isSelfSigned)
        #expect(try !CertificateDraft("a", key).certificate(by: other).isSelfSigned)
        #expect(try !CertificateDraft("b", key).certificate(by: other).isSelfSigned)
    }
}
