import Foundation
import Security
import Testing

@Suite("SecCertificate", .enabled(if: Openssl.isInstalled, "openssl is not installed"))
struct SecCertificateTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    @Test func says() throws {
        let certificate = try authority.certificate()
        #expect(SecCertificateCopyData(certificate) as Data == (try authority.file("leaf.der")))
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == authority.name)
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == authority.name)
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["ada@\(authority.name)"])
        let root = try authority.certificate("root")
        #expect(
            SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?
                == SecCertificateCopyNormalizedSubjectSequence(root) as Data?)
        var error: Unmanaged<CFError>?
        let number = try #require(SecCertificateCopySerialNumberData(certificate, &error)) as Data
        let printed = try authority.run(["x509", "-in", "leaf.pem", "-noout", "-serial"])
        let digits = number.drop { $0 == 0 }.map { String(format: "%02X", $0) }.joined()
        #expect(String(decoding: printed, as: UTF8.self) == "serial=\(digits)\n")
        let end = try #require(SecCertificateCopyNotValidAfterDate(certificate)) as Date
        #expect(abs(end.timeIntervalSinceNow - 20 * 86_400) < 300)
    }

    @Test func publicKey() throws {
        let key = try #require(SecCertificateCopyKey(try authority.certificate()))
        let own = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
        let info = try authority.run(["pkey", "-in", "leaf.key", "-pubout", "-outform", "DER"])
        #expect(info.suffix(65) == own)
        #expect(SecKeyGetBlockSize(key) == 32)
    }

    @Test func equality() throws {
        let (one, same) = (try authority.certificate(), try authority.certificate())
        let other = try authority.certificate("root")
        #expect(one !== same && one == same && CFEqual(one, same) && CFHash(one) == CFHash(same))
        #expect(one != other && !CFEqual(one, other))
        #expect(Set([one, same, other]).count == 2)
        #expect((NSArray(array: [one, other])).index(of: same) == 0)
        #expect(SecCertificateCreateWithData(nil, Data("nonsense".utf8) as CFData) == nil)
        let longer = try authority.file("leaf.der") + [0]
        #expect(SecCertificateCreateWithData(kCFAllocatorDefault, longer as CFData) == nil)
    }
}
