import Foundation
import Security
import Testing

@Suite(
    "files with certificates and keys",
    .enabled(if: Openssl.isInstalled, "openssl is not installed"))
struct TransferTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    private func importing(
        _ data: Data, _ options: [CFString: Any]
    ) -> (status: OSStatus, items: CFArray?) {
        var items: CFArray?
        let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
        return (status, items)
    }

    @Test func pkcs12() throws {
        let entry = try authority.imported()
        #expect(entry[kSecImportItemLabel as String] as? String == "the identity")
        #expect((entry[kSecImportItemKeyID as String] as? Data)?.count == 20)
        let chain = try #require(entry[kSecImportItemCertChain as String] as? [SecCertificate])
        #expect(chain == [try authority.certificate(), try authority.certificate("root")])
        let trust = entry[kSecImportItemTrust as String] as! SecTrust
        #expect(SecTrustSetAnchorCertificates(trust, [chain[1]] as CFArray) == errSecSuccess)
        #expect(SecTrustEvaluateWithError(trust, nil))
        let file = try authority.file("leaf.p12")
        for options in [[kSecImportExportPassphrase: "sword"], [:]] as [[CFString: Any]] {
            let refused = importing(file, options)
            #expect(refused.status == errSecAuthFailed)
            #expect(refused.items == nil)
        }
        let options = [kSecImportExportPassphrase: "swordfish"]
        #expect(importing(Data("nonsense".utf8), options).status == errSecDecode)
        #expect(importing(file, [kSecImportExportPassphrase: 1]).status == errSecParam)
    }

    @Test func pkcs12IntoAKeychain() throws {
        let keychains = try TwoKeychains()
        let options: [CFString: Any] = [
            kSecImportExportPassphrase: "swordfish", kSecImportExportKeychain: keychains.first,
        ]
        let file = try authority.file("leaf.p12")
        let items = importing(file, options).items as? [[String: Any]]
        let identity = items?.first?[kSecImportItemIdentity as String] as! SecIdentity
        #expect(importing(file, options).status == errSecDuplicateItem)
        let query: [CFString: Any] = [
            kSecClass: kSecClassIdentity, kSecMatchSearchList: [keychains.first],
            kSecAttrLabel: "the identity", kSecReturnRef: true,
        ]
        #expect(find(query).result as! SecIdentity == identity)
        // The issuers come along.
        let certificates: [CFString: Any] = [
            kSecClass: kSecClassCertificate, kSecMatchSearchList: [keychains.first],
            kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
        ]
        let both = [try authority.certificate(), try authority.certificate("root")]
        #expect(Set(find(certificates).result as? [SecCertificate] ?? []) == Set(both))
        var elsewhere = query
        elsewhere[kSecMatchSearchList] = [keychains.second]
        #expect(find(elsewhere).status == errSecItemNotFound)
        // The reference knows its keychain.
        var key: SecKey?
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        #expect(SecKeyCopyExternalRepresentation(try #require(key), nil) != nil)
        #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
        #expect(find(query).status == errSecItemNotFound)
        // An issuer that is there is left as it is.
        #expect(importing(file, options).status == errSecSuccess)
    }

    @Test func pkcs12InMemoryOnly() throws {
        let keychains = try TwoKeychains()
        let file = try authority.file("leaf.p12")
        for isMemoryOnly in [true, false] {
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: "swordfish",
                kSecImportExportKeychain: keychains.first, kSecImportToMemoryOnly: isMemoryOnly,
            ]
            #expect(importing(file, options).status == errSecSuccess)
            let query: [CFString: Any] = [
                kSecClass: kSecClassIdentity, kSecMatchSearchList: [keychains.first],
            ]
            #expect(find(query).status == (isMemoryOnly ? errSecItemNotFound : errSecSuccess))
        }
        let options: [CFString: Any] = [
            kSecImportExportPassphrase: "swordfish", kSecImportToMemoryOnly: "yes",
        ]
        #expect(importing(file, options).status == errSecParam)
    }

    private func export(
        _ item: AnyObject, _ format: SecExternalFormat, _ flags: SecItemImportExportFlags = [],
        passphrase: String? = nil
    ) -> (status: OSStatus, data: Data?) {
        let text = passphrase.map { $0 as CFString }
        var parameters = SecItemImportExportKeyParameters()
        parameters.passphrase = text.map { Unmanaged.passUnretained($0 as CFTypeRef) }
        var data: CFData?
        let status = withExtendedLifetime(text) {
            SecItemExport(item, format, flags, &parameters, &data)
        }
        return (status, data as Data?)
    }

    private func imported(
        _ data: Data, passphrase: String? = nil, _ keychain: SecKeychain? = nil
    ) -> (status: OSStatus, items: [AnyObject]?, SecExternalFormat, SecExternalItemType) {
        let text = passphrase.map { $0 as CFString }
        var parameters = SecItemImportExportKeyParameters()
        parameters.passphrase = text.map { Unmanaged.passUnretained($0 as CFTypeRef) }
        var format = SecExternalFormat.formatUnknown
        var type = SecExternalItemType.itemTypeUnknown
        var items: CFArray?
        let status = withExtendedLifetime(text) {
            SecItemImport(
                data as CFData, nil, &format, &type, [], &parameters, keychain, &items)
        }
        return (status, items.map { $0.map { $0 as AnyObject } }, format, type)
    }

    @Test func exportsWhatOpensslReads() throws {
        let identity = try authority.identity()
        var key: SecKey?
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        let own = try #require(key)
        let publicKey = try #require(SecKeyCopyPublicKey(own))
        let certificate = try authority.certificate()
        #expect(export(certificate, .formatX509Cert).data == (try authority.file("leaf.der")))
        #expect(
            export(certificate, .formatUnknown, .pemArmour).data == (try authority.file("leaf.pem"))
        )
        let info = try authority.run(["pkey", "-in", "leaf.key", "-pubout", "-outform", "DER"])
        #expect(export(publicKey, .formatOpenSSL).data == info)
        let traditional = try authority.run([
            "pkey", "-in", "leaf.key", "-traditional", "-outform", "DER",
        ])
        #expect(export(own, .formatOpenSSL).data == traditional)
        let wrapped = export(own, .formatWrappedPKCS8, passphrase: "swordfish").data
        try authority.write(try #require(wrapped), to: "wrapped.der")
        let plain = try authority.run([
            "pkcs8", "-inform", "DER", "-in", "wrapped.der", "-passin", "pass:swordfish",
        ])
        #expect(plain == (try authority.file("leaf.p8")))
        let container = export(identity, .formatPKCS12, passphrase: "a long one").data
        try authority.write(try #require(container), to: "made.p12")
        let certificates = try authority.run([
            "pkcs12", "-in", "made.p12", "-passin", "pass:a long one", "-nodes", "-nokeys",
        ])
        #expect(String(decoding: certificates, as: UTF8.self).contains(authority.name))
        #expect(export(own, .formatWrappedPKCS8).status == errSecPassphraseRequired)
        #expect(export(certificate, .formatPKCS7).status == errSecUnimplemented)
        #expect(export(certificate, .formatOpenSSL).status == errSecParam)
        #expect(export("x" as CFString, .formatUnknown).status == errSecParam)
    }

    @Test func importsWhatItExports() throws {
        let identity = try authority.identity()
        var key: SecKey?
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        let own = try #require(key)
        let certificate = try authority.certificate()
        let one = imported(try authority.file("leaf.der"))
        #expect(one.items as? [SecCertificate] == [certificate])
        #expect(one.2 == .formatX509Cert && one.3 == .itemTypeCertificate)
        let text = try #require(export([own, certificate] as CFArray, .formatUnknown).data)
        let both = imported(text)
        #expect(both.2 == .formatPEMSequence && both.3 == .itemTypeAggregate)
        #expect(both.items?.count == 2)
        #expect(both.items?.first as! SecKey == own)
        let plain = imported(try authority.file("leaf.p8"))
        #expect(plain.items as? [SecKey] == [own] && plain.3 == .itemTypePrivateKey)
        let wrapped = try #require(
            export(own, .formatWrappedPKCS8, .pemArmour, passphrase: "swordfish").data)
        #expect(imported(wrapped).status == errSecPassphraseRequired)
        #expect(imported(wrapped, passphrase: "sword").status == errSecAuthFailed)
        #expect(imported(wrapped, passphrase: "swordfish").items as? [SecKey] == [own])
        let container = try authority.file("leaf.p12")
        #expect(imported(container, passphrase: "sword").status == errSecAuthFailed)
        let items = imported(container, passphrase: "swordfish")
        #expect(items.2 == .formatPKCS12)
        #expect(items.items?.first as! SecIdentity == identity)
        #expect(imported(Data("nonsense".utf8)).status == errSecUnknownFormat)
    }

    @Test func importsIntoAKeychain() throws {
        let keychains = try TwoKeychains()
        let file = try authority.file("leaf.pem") + authority.file("root.pem")
        #expect(imported(file, keychains.first).status == errSecSuccess)
        #expect(imported(file, keychains.first).status == errSecDuplicateItem)
        let query: [CFString: Any] = [
            kSecClass: kSecClassCertificate, kSecMatchSearchList: [keychains.first],
            kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
        ]
        let found = find(query).result as? [SecCertificate]
        let expected = [try authority.certificate(), try authority.certificate("root")]
        #expect(Set(found ?? []) == Set(expected))
    }
}
