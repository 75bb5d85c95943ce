internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// Reads certificates, keys and identities from a file, and stores them if there is a keychain for them.
///
/// - Parameters:
///   - importedData: The file: PEM, DER, PKCS #12 or one of OpenSSH's forms.
///   - fileNameOrExtension: Ignored; the content shows the form.
///   - inputFormat: Where to write the form, or nil; a form that is there is only a hint.
///   - itemType: Where to write what the file has, or nil.
///   - flags: Ignored.
///   - keyParams: The passphrase, or nil.
///   - importKeychain: The keychain for the items; nil to leave them in memory.
///   - outItems: Where to write the items, or nil: SecIdentity for a private key with its certificate in PKCS #12,
///     otherwise SecKey and SecCertificate.
/// - Returns: errSecSuccess; errSecUnknownFormat; errSecPassphraseRequired; errSecAuthFailed for a wrong
///   passphrase; errSecMultiplePrivKeys; errSecDuplicateItem if the keychain has an item, and then none is added.
@discardableResult
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?,
    _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?,
    _ importKeychain: SecKeychain?, _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    status { () throws(KeychainError) in
        let file = Secret(importedData as Data)
        // Safe: the caller's memory.
        let parameters = try unsafe TransferParameters(keyParams)
        let items = try ImportedItems(file, parameters)
        if parameters.flags.contains(.importOnlyOne), items.privateKeyCount > 1 {
            throw KeychainError(Status(rawValue: errSecMultiplePrivKeys))
        }
        let objects = try items.stored(in: importKeychain)
        // Safe: the caller's memory.
        unsafe inputFormat?.pointee = items.format
        unsafe itemType?.pointee = items.type
        unsafe outItems?.pointee = NSArray(array: objects)
    }
}

/// What a file has.
private struct ImportedItems {
    private(set) var objects: [NSObject] = []
    private(set) var format: SecExternalFormat
    private(set) var privateKeyCount = 0

    init(
        _ file: borrowing Secret, _ parameters: borrowing TransferParameters
    ) throws(KeychainError) {
        let isPKCS12 = file.withBytes { PKCS12.isPKCS12($0) }
        let isPEM = file.withBytes { $0.count > 0 && $0[0] != 0x30 }
        let contents: CertificatesAndKeys
        do throws(KeychainError) {
            contents = try CertificatesAndKeys(file) { () throws(KeychainError) in
                try parameters.required()
            }
        } catch {
            guard error.status != .pkcs12VerifyFailure else {
                throw KeychainError(.authFailed, "wrong passphrase")
            }
            throw error
        }
        privateKeyCount = contents.privateKeys.count
        var certificates = contents.certificates.map(\.certificate)
        for named in contents.privateKeys {
            let key = SecKey(.privateKey(named.key))
            let hash = named.key.publicKey.hash
            let own = certificates.firstIndex { $0.publicKeyHash == hash }
            if isPKCS12, let own {
                objects.append(SecIdentity(SecCertificate(certificates.remove(at: own)), key))
            } else {
                objects.append(key)
            }
        }
        objects += contents.publicKeys.map { SecKey(.publicKey($0)) }
        objects += certificates.map { SecCertificate($0) }
        if isPKCS12 {
            format = .formatPKCS12
        } else if objects.count > 1 || isPEM && !(objects.first is SecKey) {
            format = .formatPEMSequence
        } else {
            format = objects.first is SecCertificate ? .formatX509Cert : .formatOpenSSL
        }
    }

    var type: SecExternalItemType {
        guard objects.count == 1, let first = objects.first else {
            return .itemTypeAggregate
        }
        switch first {
        case is SecCertificate: return .itemTypeCertificate
        case let key as SecKey:
            return key.attributes.keyClass == .private ? .itemTypePrivateKey : .itemTypePublicKey
        default: return .itemTypeAggregate
        }
    }

    /// Stores the items in a keychain and returns those; without a keychain they stay in memory.
    func stored(in keychain: SecKeychain?) throws(KeychainError) -> [Any] {
        guard let keychain else {
            return objects
        }
        let list: NSDictionary = ["u_ItemList": objects, "u_Keychain": keychain, "r_Ref": true]
        let added = try ItemRequest(list, .addition).add()
        return added as? [Any] ?? objects
    }
}
