internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// Reads the identities of a PKCS #12 file.
///
/// They are in memory, unless ``kSecImportExportKeychain`` names a keychain for them and their issuers' certificates:
/// it gets all or none.
///
/// - Parameters:
///   - pkcs12_data: The file, up to 16 MiB.
///   - options: ``kSecImportExportPassphrase`` with the file's password; ``kSecImportToMemoryOnly``.
///   - items: Where to write an array of dictionaries, one for each private key with its certificate:
///     ``kSecImportItemIdentity``, ``kSecImportItemCertChain``, ``kSecImportItemTrust``,
///     ``kSecImportItemKeyID`` and, if the file has a name for it, ``kSecImportItemLabel``.
/// - Returns: errSecSuccess; errSecAuthFailed for a wrong password; errSecDecode for anything but such a file;
///   errSecDuplicateItem if a keychain has an identity of the file.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    status { () throws(KeychainError) in
        let options = try PKCS12ImportOptions(options)
        let file = Secret(pkcs12_data as Data)
        let contents = try PKCS12(file, checking: options.passphrase)
        let entries = try contents.identities().entries(in: options.keychain)
        // Safe: the caller's memory.
        unsafe items.pointee = NSArray(array: entries)
    }
}

/// What a caller wants of an import.
private struct PKCS12ImportOptions: ~Copyable {
    var passphrase = Secret("")
    var keychain: SecKeychain?

    /// - Throws: ``Status/param`` for values of other types; ``Status/unimplemented`` for a SecAccess.
    init(_ dictionary: NSDictionary) throws(KeychainError) {
        var isMemoryOnly = false
        for (key, value) in dictionary {
            switch key as? String {
            case "passphrase": passphrase = try Secret(passphrase: value)
            case "keychain":
                guard let value = value as? SecKeychain else {
                    throw KeychainError(.param, "kSecImportExportKeychain is not a keychain")
                }
                keychain = value
            case "access": throw KeychainError(.unimplemented)
            case "memory": isMemoryOnly = try ItemRequest.flag(value, "memory")
            default: break
            }
        }
        keychain = isMemoryOnly ? nil : keychain
    }
}

extension PKCS12 {
    /// Opens a file.
    ///
    /// - Throws: ``Status/authFailed`` for a wrong password; ``Status/decode`` for anything else.
    init(_ file: borrowing Secret, checking password: borrowing Secret) throws(KeychainError) {
        do throws(KeychainError) {
            try self.init(file, password: password)
        } catch {
            switch error.status {
            case .pkcs12VerifyFailure: throw KeychainError(.authFailed, "wrong password")
            case .unknownFormat: throw KeychainError(.decode, "not a PKCS #12 file")
            default: throw error
            }
        }
    }

    /// A private key with its certificate.
    struct Identity {
        let key: PrivateKey
        let name: String?
        /// The certificate, and then those of its issuers that the file has.
        let chain: [Certificate]
    }

    /// Returns the private keys that have a certificate.
    func identities() -> [Identity] {
        let all = certificates.map(\.certificate)
        return keys.compactMap { key in
            let hash = key.privateKey.publicKey.hash
            guard let own = certificates.first(where: { $0.certificate.publicKeyHash == hash })
            else {
                return nil
            }
            return Identity(
                key: key.privateKey, name: key.name ?? own.name,
                chain: own.certificate.chain(among: all))
        }
    }
}

extension [PKCS12.Identity] {
    /// The objects of the identities, stored in a keychain if there is one: all or none.
    fileprivate func entries(in keychain: SecKeychain?) throws(KeychainError) -> [NSDictionary] {
        guard let keychain else {
            return try map { identity throws(KeychainError) in try identity.dictionary(nil) }
        }
        return try ProgramKeychains.withKeychain(keychain.name) { open throws(KeychainError) in
            try open.transaction { () throws(KeychainError) in
                try map { identity throws(KeychainError) in try identity.dictionary(keychain) }
            }
        }
    }
}

extension PKCS12.Identity {
    /// The objects of the identity, stored in a keychain if there is one.
    fileprivate func dictionary(_ keychain: SecKeychain?) throws(KeychainError) -> NSDictionary {
        let identity = SecIdentity(SecCertificate(chain[0]), SecKey(.privateKey(key)))
        var entry: [String: Any] = [
            "identity": try identity.stored(in: keychain, label: name),
            "chain": chain.map { SecCertificate($0) },
            "trust": SecTrust(chain, [.basic]),
            "keyid": Data(key.publicKey.hash),
        ]
        entry["label"] = name
        for issuer in chain.dropFirst() {
            try SecCertificate(issuer).storeIfMissing(in: keychain)
        }
        return NSDictionary(dictionary: entry)
    }
}

extension SecIdentity {
    /// Stores the identity in a keychain and returns that one; without a keychain it stays in memory.
    func stored(in keychain: SecKeychain?, label: String?) throws(KeychainError) -> SecIdentity {
        guard let keychain else {
            return self
        }
        var item: [String: Any] = ["v_Ref": self, "u_Keychain": keychain, "r_Ref": true]
        item["labl"] = label
        let added = try ItemRequest(NSDictionary(dictionary: item), .addition).add()
        return added as? SecIdentity ?? self
    }
}

extension SecCertificate {
    /// Stores the certificate in a keychain, if there is one and it lacks the certificate.
    fileprivate func storeIfMissing(in keychain: SecKeychain?) throws(KeychainError) {
        guard let keychain else {
            return
        }
        let item: NSDictionary = ["v_Ref": self, "u_Keychain": keychain]
        try KeychainError.ignoring(.duplicateItem) { () throws(KeychainError) in
            _ = try ItemRequest(item, .addition).add()
        }
    }
}

extension Certificate {
    /// Returns the certificate and those of its issuers, as far as a list has them.
    fileprivate func chain(among certificates: [Certificate]) -> [Certificate] {
        var chain = [self]
        // Longer chains don't exist; two issuers that signed each other would never end.
        while chain.count < 10, let last = chain.last, !last.isSelfSigned,
            let issuer = certificates.first(where: {
                $0.normalizedSubject == last.normalizedIssuer && last.isSigned(by: $0)
            })
        {
            chain.append(issuer)
        }
        return chain
    }
}
