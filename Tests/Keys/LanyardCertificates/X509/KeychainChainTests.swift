import KeychainServices
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// Chains, identities and keys of a keychain.
@Suite struct KeychainChainTests {
    let keychain: Keychain
    let root: CertificateDraft
    let intermediate: CertificateDraft
    let key: PrivateKey
    let leaf: Certificate

    init() throws {
        let store = InMemoryStore { Timestamp(secondsSinceEpoch: 1_700_000_000) }
        keychain = Keychain(store, accessGroup: "example", decoder: CertificateDecoder())
        root = CertificateDraft("Root", try Self.key(), extensions: [Extension.authority()])
        var draft = CertificateDraft(
            "Intermediate", try Self.key(), extensions: [Extension.authority()])
        draft.serialNumber = [7]
        intermediate = draft
        key = try Self.key()
        leaf = try CertificateDraft("Ada", key).certificate(by: intermediate)
    }

    private static func key() throws -> PrivateKey {
        try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
    }

    private func add(_ certificate: Certificate) throws {
        let der = certificate.der
        try keychain.add(.certificate, ItemAttributes(), secret: Secret(copying: der.span))
    }

    @Test func aChainEndsBeforeTheRoot() throws {
        let middle = try intermediate.certificate(by: root)
        #expect(try keychain.chain(of: leaf) == [leaf])
        try add(leaf)
        let top = try root.certificate()
        try add(top)
        #expect(try keychain.chain(of: leaf) == [leaf])
        try add(middle)
        #expect(try keychain.chain(of: leaf) == [leaf, middle])
        #expect(try keychain.chain(of: top) == [top])
    }

    /// Others of the issuer's name didn't sign.
    @Test func anotherKeyOfTheSameName() throws {
        let other = CertificateDraft(
            "Intermediate", try Self.key(), extensions: [Extension.authority()])
        let middle = try intermediate.certificate(by: root)
        try add(middle)
        var later = other
        later.serialNumber = [9]
        try add(later.certificate(by: root))
        #expect(try keychain.chain(of: leaf) == [leaf, middle])
    }

    /// An issuer's certificate was renewed: the one that is valid longest counts.
    @Test func renewedIssuers() throws {
        var old = intermediate
        old.serialNumber = [2]
        old.notAfter = DER.text(0x17, "210101000000Z")
        var new = intermediate
        new.serialNumber = [3]
        let renewed = try new.certificate(by: root)
        try add(renewed)
        try add(old.certificate(by: root))
        #expect(try keychain.chain(of: leaf) == [leaf, renewed])
    }

    /// The names differ in their types and letters.
    @Test func issuersByTheirNormalizedNames() throws {
        var draft = intermediate
        draft.subject = DER.name((DER.commonName, DER.printable("INTERMEDIATE")))
        let middle = try draft.certificate(by: root)
        try add(middle)
        #expect(try keychain.chain(of: leaf) == [leaf, middle])
    }

    @Test(.timeLimit(.minutes(5))) func circles() throws {
        let one = CertificateDraft("One", try Self.key(), extensions: [Extension.authority()])
        let two = CertificateDraft("Two", try Self.key(), extensions: [Extension.authority()])
        let (first, second) = (try one.certificate(by: two), try two.certificate(by: one))
        try add(first)
        try add(second)
        let leaf = try CertificateDraft("leaf", key).certificate(by: one)
        #expect(try keychain.chain(of: leaf) == [leaf, first, second])
        #expect(try keychain.chain(of: first) == [first, second])
    }

    @Test func identities() throws {
        let middle = try intermediate.certificate(by: root)
        try add(leaf)
        try add(middle)
        #expect(throws: KeychainError(.itemNotFound)) {
            try keychain.identity(of: leaf.attributes, leaf)
        }
        try keychain.add(key)
        let identity = try keychain.identity(of: leaf.attributes, leaf)
        #expect(identity.privateKey.publicKey == key.publicKey)
        #expect(identity.certificate == leaf && identity.chain == [leaf, middle])
        let contents = try CertificatesAndKeys(identity.pem()) { Secret("") }
        #expect(contents.certificates.map(\.certificate) == [leaf, middle])
        #expect(contents.privateKeys.map(\.key.publicKey) == [key.publicKey])
        #expect(try keychain.firstMatch(of: Query(.identity)) != nil)
    }

    /// A certificate with a compressed point has the same identity.
    @Test func identitiesOfCompressedPoints() throws {
        var draft = CertificateDraft("Ada", key)
        let point = key.publicKey.externalRepresentation
        draft.publicKey = DER.sequence(
            DER.sequence(
                DER.identifier("1.2.840.10045.2.1"), DER.identifier("1.2.840.10045.3.1.7")),
            DER.bitString([point[64] & 1 == 0 ? 2 : 3] + point[1...32]))
        let certificate = try draft.certificate()
        try add(certificate)
        try keychain.add(key)
        let identity = try keychain.identity(of: certificate.attributes, certificate)
        #expect(identity.privateKey.publicKey == key.publicKey)
    }

    @Test func storedKeys() throws {
        let other = try PrivateKey(generating: .ed25519, sizeInBits: 256)
        var attributes = ItemAttributes()
        attributes.label = "Ada"
        try keychain.add(key, attributes)
        try keychain.addIfMissing(other.publicKey)
        try keychain.addIfMissing(other.publicKey)
        #expect(throws: KeychainError(.duplicateItem)) { try keychain.add(key, attributes) }
        // Programs store anything as a public key.
        var junk = ItemAttributes()
        junk.keyClass = .public
        junk.applicationLabel = "junk"
        try keychain.add(.key, junk, secret: Secret("junk"))
        let privateKeys = try keychain.storedKeys(.private)
        #expect(privateKeys.map(\.publicKey) == [key.publicKey])
        #expect(privateKeys.map(\.name) == ["Ada"])
        let publicKeys = try keychain.storedKeys(.public)
        #expect(publicKeys.map(\.publicKey) == [other.publicKey])
        let stored = try #require(publicKeys.first)
        let fingerprint = try SSHPublicKey(other.publicKey).fingerprint
        #expect(stored.fingerprint == fingerprint && stored.isMeant(by: fingerprint))
        #expect(stored.isMeant(by: String(stored.hexadecimal.prefix(8))))
        #expect(
            !stored.isMeant(by: String(stored.hexadecimal.prefix(7))) && !stored.isMeant(by: ""))
        #expect(stored.name == String(stored.hexadecimal.prefix(16)))
        let again = try keychain.privateKey(privateKeys[0].reference)
        #expect(again.publicKey == key.publicKey)
        #expect(throws: KeychainError(.decode)) { try keychain.privateKey(stored.reference) }
    }

    @Test func storedCertificates() throws {
        try add(leaf)
        try keychain.add(key)
        let stored = try #require(try keychain.storedCertificates().first)
        #expect(stored.hasPrivateKey && stored.name == "Ada" && stored.certificate == leaf)
        #expect(
            try keychain.storedCertificate(named: String(leaf.fingerprint.prefix(8).uppercased()))
                .certificate == leaf)
        #expect(throws: KeychainError(.itemNotFound)) {
            try keychain.storedCertificate(named: "Bob")
        }
    }

    @Test func renewedCertificates() throws {
        var draft = CertificateDraft("Ada", key)
        draft.serialNumber = [2]
        draft.notAfter = DER.text(0x17, "210101000000Z")
        let old = try draft.certificate(by: intermediate)
        try add(leaf)
        try add(old)
        try keychain.add(key)
        #expect(throws: KeychainError(.param)) { try keychain.storedCertificate(named: "Ada") }
        func found(at date: Timestamp) throws -> Certificate {
            try keychain.storedCertificate(named: "Ada", validAt: date).certificate
        }
        #expect(try found(at: leaf.notValidBefore) == leaf)
        draft.serialNumber = [3]
        draft.notBefore = DER.text(0x17, "490101000000Z")
        draft.notAfter = DER.text(0x18, "21000101000000Z")
        let future = try draft.certificate(by: intermediate)
        try add(future)
        #expect(try found(at: leaf.notValidBefore) == leaf)
        #expect(try found(at: future.notValidBefore) == future)
        // Of another issuer it is no renewal.
        try add(draft.certificate(by: root))
        #expect(throws: KeychainError(.param)) { try found(at: leaf.notValidBefore) }
    }
}
