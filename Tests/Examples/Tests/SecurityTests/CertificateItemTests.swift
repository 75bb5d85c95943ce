import Foundation
import Security
import Testing

@Suite(
    "certificates in a keychain", .enabled(if: Openssl.isInstalled, "openssl is not installed"))
struct CertificateItemTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    private func query(_ more: [CFString: Any] = [:]) -> [CFString: Any] {
        more.merging([kSecClass: kSecClassCertificate]) { own, _ in own }
    }

    @Test func dataIsStoredFoundAndDeleted() throws {
        let der = try authority.file("leaf.der")
        var added: AnyObject?
        let item = query([
            kSecValueData: der, kSecReturnRef: true, kSecAttrLabel: authority.name,
        ])
        #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
        #expect(added as! SecCertificate == (try authority.certificate()))
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem)
        let named = query([kSecAttrLabel: authority.name])
        #expect(
            find(named.merging([kSecReturnData: true]) { own, _ in own }).result as? Data == der)
        #expect(SecItemDelete(named as CFDictionary) == errSecSuccess)
        #expect(find(named).status == errSecItemNotFound)
        #expect(
            SecItemAdd(query([kSecValueData: Data("x".utf8)]) as CFDictionary, nil)
                == errSecDecode)
    }

    @Test func references() throws {
        let certificate = try authority.certificate()
        let reference: [CFString: Any] = [kSecValueRef: certificate]
        #expect(find(reference).status == errSecItemNotFound)
        #expect(SecItemAdd(reference as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemAdd(reference as CFDictionary, nil) == errSecDuplicateItem)
        #expect(find(reference).status == errSecSuccess)
        let found = find(query([kSecValueRef: certificate, kSecReturnRef: true])).result
        #expect(CFEqual(found, certificate))
        let persistent = find([kSecValueRef: certificate, kSecReturnPersistentRef: true]).result
        #expect((persistent as? Data)?.prefix(4) == Data("cert".utf8))
        let again = find([
            kSecValuePersistentRef: persistent as Any, kSecReturnRef: true,
        ]).result
        #expect(CFGetTypeID(again) == SecCertificateGetTypeID())
        #expect(again as! SecCertificate == certificate)
        let wrong = [kSecClass: kSecClassKey, kSecValueRef: certificate] as CFDictionary
        #expect(SecItemAdd(wrong, nil) == errSecParam)
        #expect(SecItemDelete([kSecValueRef: again as Any] as CFDictionary) == errSecSuccess)
        #expect(find(reference).status == errSecItemNotFound)
    }

    @Test func attributes() throws {
        let certificate = try authority.certificate()
        #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
        let found = find(query([kSecValueRef: certificate, kSecReturnAttributes: true])).result
        let item = try #require(found as? [String: Any])
        #expect(item[kSecClass as String] as? String == kSecClassCertificate as String)
        #expect(item[kSecAttrLabel as String] as? String == authority.name)
        #expect(item[kSecAttrCertificateType as String] as? Int == 3)
        #expect(item[kSecAttrCertificateEncoding as String] as? Int == 3)
        let issuer = SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?
        let subject = SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?
        let number = SecCertificateCopySerialNumberData(certificate, nil) as Data?
        #expect(item[kSecAttrIssuer as String] as? Data == issuer)
        #expect(item[kSecAttrSubject as String] as? Data == subject)
        #expect(item[kSecAttrSerialNumber as String] as? Data == number)
        #expect((item[kSecAttrPublicKeyHash as String] as? Data)?.count == 20)
        #expect((item[kSecAttrSubjectKeyID as String] as? Data)?.count == 20)
        for key in [kSecAttrIssuer, kSecAttrSubject, kSecAttrSerialNumber, kSecAttrPublicKeyHash] {
            let value = item[key as String] as Any
            #expect(find(query([key: value, kSecValueRef: certificate])).status == errSecSuccess)
            #expect(
                find(query([key: Data([1]), kSecAttrLabel: authority.name])).status
                    == errSecItemNotFound)
        }
        let named = query([kSecAttrLabel: authority.name]) as CFDictionary
        let label = [kSecAttrLabel: "another \(authority.name)"] as CFDictionary
        #expect(SecItemUpdate(named, label) == errSecSuccess)
        #expect(SecItemUpdate(named, label) == errSecItemNotFound)
        let derived = [kSecAttrIssuer: Data([1])] as CFDictionary
        let renamed = query([kSecValueRef: certificate]) as CFDictionary
        #expect(SecItemUpdate(renamed, derived) == errSecParam)
        #expect(SecItemDelete(renamed) == errSecSuccess)
    }

    @Test func matchOptions() throws {
        let certificate = try authority.certificate()
        #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
        func matches(_ options: [CFString: Any]) -> Bool {
            let named = query([kSecAttrLabel: authority.name])
            return find(options.merging(named) { own, _ in own }).status == errSecSuccess
        }
        #expect(matches([kSecMatchSubjectContains: "ada-"]))
        #expect(!matches([kSecMatchSubjectContains: "bob-"]))
        #expect(matches([kSecMatchSubjectStartsWith: "Tests of"]))
        #expect(!matches([kSecMatchSubjectStartsWith: "of"]))
        #expect(matches([kSecMatchSubjectEndsWith: ".example.org"]))
        #expect(!matches([kSecMatchSubjectEndsWith: ".example"]))
        #expect(matches([kSecMatchSubjectWholeString: authority.name]))
        #expect(!matches([kSecMatchSubjectWholeString: "ada"]))
        // All must hold.
        #expect(matches([kSecMatchSubjectStartsWith: "Tests", kSecMatchSubjectContains: "ada-"]))
        for (start, part) in [("Tests", "bob-"), ("of", "ada-")] {
            #expect(
                !matches([kSecMatchSubjectStartsWith: start, kSecMatchSubjectContains: part]))
        }
        #expect(
            matches([
                kSecMatchSubjectContains: "ADA-", kSecMatchCaseInsensitive: true,
            ]))
        // The names of the issuers as a TLS server sends them, and normalized.
        let root = try authority.certificate("root")
        let subject = SecCertificateCopyNormalizedSubjectSequence(root) as Data?
        #expect(matches([kSecMatchIssuers: [subject as Any]]))
        #expect(!matches([kSecMatchIssuers: [Data([0x30, 0])]]))
        #expect(matches([kSecMatchEmailAddressIfPresent: "ADA@\(authority.name)"]))
        #expect(!matches([kSecMatchEmailAddressIfPresent: "bob@\(authority.name)"]))
        #expect(matches([kSecMatchValidOnDate: kCFNull as Any]))
        #expect(matches([kSecMatchValidOnDate: Date()]))
        #expect(!matches([kSecMatchValidOnDate: Date(timeIntervalSince1970: 1_000_000)]))
        #expect(!matches([kSecMatchTrustedOnly: true]))
        #expect(matches([kSecMatchTrustedOnly: false]))
        #expect(matches([kSecMatchPolicy: SecPolicyCreateSSL(true, authority.name as CFString)]))
        #expect(!matches([kSecMatchPolicy: SecPolicyCreateSSL(true, "example.com" as CFString)]))
        #expect(!matches([kSecMatchPolicy: SecPolicyCreateSSL(false, nil)]))
        for (key, value) in [
            (kSecMatchIssuers, "a"), (kSecMatchSubjectContains, 1), (kSecMatchValidOnDate, "now"),
            (kSecMatchPolicy, "ssl"), (kSecMatchTrustedOnly, "yes"),
        ] as [(CFString, Any)] {
            #expect(find(query([key: value])).status == errSecParam)
        }
        let options = query([kSecMatchSubjectContains: authority.name]) as CFDictionary
        #expect(SecItemDelete(options) == errSecParam)
        #expect(SecItemDelete([kSecValueRef: certificate] as CFDictionary) == errSecSuccess)
    }

    @Test func issuersAsServersSendThem() throws {
        let certificate = try authority.certificate()
        #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
        let normalized = try #require(SecCertificateCopyNormalizedIssuerSequence(certificate))
        // The same name in the certificate itself has small letters.
        let der = Array(try authority.file("leaf.der"))
        let count = (normalized as Data).count
        let start = try #require(
            (0..<der.count - count).first { start in
                let bytes = der[start..<start + count].map {
                    (97...122).contains($0) ? $0 - 32 : $0
                }
                return bytes == Array(normalized as Data)
            })
        let name = Data(der[start..<start + count])
        #expect(name != normalized as Data)
        func matches(_ issuer: Data) -> OSStatus {
            find(query([kSecAttrLabel: authority.name, kSecMatchIssuers: [issuer]])).status
        }
        #expect(matches(name) == errSecSuccess)
        #expect(matches(name + [0]) == errSecParam)
        for _ in 0..<200 {
            var damaged = name
            damaged[Int.random(in: 0..<count)] ^= UInt8.random(in: 1...255)
            let status = matches(damaged.prefix(Int.random(in: count / 2...count)))
            // A letter in another case is the same name.
            #expect([errSecParam, errSecItemNotFound, errSecSuccess].contains(status))
        }
        #expect(SecItemDelete([kSecValueRef: certificate] as CFDictionary) == errSecSuccess)
    }

    @Test func isFoundByWhatItWasAddedWith() throws {
        let certificate = try authority.certificate()
        for (given, stored) in [
            (kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways),
            (
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecAttrAccessibleAlwaysThisDeviceOnly
            ),
        ] {
            let base = query([kSecAttrLabel: authority.name, kSecAttrAccessible: given])
            let item = base.merging([kSecValueRef: certificate]) { own, _ in own }
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            let wanted = base.merging([kSecReturnAttributes: true]) { own, _ in own }
            let found = find(wanted).result as? [String: Any]
            #expect(found?[kSecAttrAccessible as String] as? String == stored as String)
            #expect(SecItemDelete(base as CFDictionary) == errSecSuccess)
        }
        let identity = query([
            kSecClass: kSecClassIdentity, kSecAttrLabel: authority.name,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ])
        let item = identity.merging([kSecValueRef: try authority.identity()]) { own, _ in own }
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemDelete(identity as CFDictionary) == errSecSuccess)
    }

    @Test func listsOfItems() throws {
        let both = [try authority.certificate(), try authority.certificate("root")]
        let list: [CFString: Any] = [kSecUseItemList: both, kSecReturnRef: true]
        var added: AnyObject?
        #expect(SecItemAdd(list as CFDictionary, &added) == errSecSuccess)
        #expect(added as? [SecCertificate] == both)
        #expect(SecItemAdd(list as CFDictionary, nil) == errSecDuplicateItem)
        for key in [kSecUseItemList, kSecMatchItemList] {
            let search = query([
                key: both, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
            ])
            let found = find(search).result as? [SecCertificate]
            #expect(found?.count == 2)
            let one = query([key: [both[1]], kSecReturnRef: true])
            #expect(find(one).result as! SecCertificate == both[1])
        }
        #expect(SecItemDelete([kSecMatchItemList: both] as CFDictionary) == errSecSuccess)
        #expect(find([kSecUseItemList: both]).status == errSecItemNotFound)
        // All or none.
        #expect(SecItemAdd([kSecValueRef: both[1]] as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemAdd(list as CFDictionary, nil) == errSecDuplicateItem)
        #expect(find([kSecValueRef: both[0]]).status == errSecItemNotFound)
        #expect(SecItemDelete([kSecValueRef: both[1]] as CFDictionary) == errSecSuccess)
        #expect(SecItemAdd([kSecUseItemList: NSArray()] as CFDictionary, nil) == errSecParam)
    }

    @Test func identityOfAnItem() throws {
        let leaf: [CFString: Any] = [kSecValueRef: try authority.certificate()]
        let root: [CFString: Any] = [kSecValueRef: try authority.certificate("root")]
        #expect(SecItemAdd(leaf as CFDictionary, nil) == errSecSuccess)
        // Another certificate, another group, and synchronizable, are other items.
        #expect(SecItemAdd(root as CFDictionary, nil) == errSecSuccess)
        for other in [[kSecAttrAccessGroup: "company"], [kSecAttrSynchronizable: true]]
            as [[CFString: Any]]
        {
            let item = leaf.merging(other) { own, _ in own }
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem)
        }
        let labelled = leaf.merging([kSecAttrLabel: "another"]) { own, _ in own }
        #expect(SecItemAdd(labelled as CFDictionary, nil) == errSecDuplicateItem)
        #expect(SecItemDelete(leaf as CFDictionary) == errSecSuccess)
        #expect(find(leaf).status == errSecItemNotFound)
        #expect(SecItemDelete(root as CFDictionary) == errSecSuccess)
    }
}
