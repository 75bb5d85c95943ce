import LanyardSecrets
import Testing

@testable import LanyardCertificates

@Suite struct ExternalRepresentationTests {
    /// RFC 8032, section 7.1, test 1.
    @Test func readsAnEd25519Key() throws {
        let seed = try #require(
            Hexadecimal.decode(
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60".utf8))
        let key = try PrivateKey(
            externalRepresentation: Secret(copying: seed.span), type: .ed25519)
        #expect(
            Hexadecimal.encode(key.publicKey.externalRepresentation)
                == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        #expect(key.externalRepresentation().publicBytes() == seed)
        #expect(key.sizeInBits == 256)
        let again = try PrivateKey(pkcs8: key.pkcs8())
        #expect(again.publicKey == key.publicKey)
        #expect(
            try PublicKey(subjectPublicKeyInfo: key.publicKey.subjectPublicKeyInfo.span)
                == key.publicKey)
    }

    /// The private key 1 has the generator as its point.
    @Test(arguments: [256, 384, 521]) func derivesThePointOfACurve(bits: Int) throws {
        let curve = try #require(EllipticCurve(sizeInBits: bits))
        let key = try PrivateKey.ellipticCurve(curve, scalar: ([1] as [UInt8]).span, point: nil)
        let bytes = key.externalRepresentation()
        #expect(bytes.count == curve.pointByteCount + curve.byteCount)
        let again = try PrivateKey(externalRepresentation: bytes, type: .ellipticCurve)
        #expect(again.publicKey == key.publicKey)
        #expect(again.publicKey.sizeInBits == bits)
        var wrong = bytes.publicBytes()
        wrong[wrong.count - 1] = 2
        #expect(throws: KeychainError(.publicKeyInconsistent)) {
            try PrivateKey(
                externalRepresentation: Secret(copying: wrong.span), type: .ellipticCurve)
        }
    }

    @Test func refusesKeysOutsideTheCurvesOrder() throws {
        #expect(throws: KeychainError(.invalidKeyFormat)) {
            try PrivateKey.ellipticCurve(.p256, scalar: ([0] as [UInt8]).span, point: nil)
        }
        let large = [UInt8](repeating: 0xFF, count: 32)
        #expect(throws: KeychainError(.invalidKeyFormat)) {
            try PrivateKey.ellipticCurve(.p256, scalar: large.span, point: nil)
        }
    }
}
