internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// Writes certificates, keys and identities as a file.
///
/// - Parameters:
///   - secItemOrArray: A SecCertificate, a SecKey, a SecIdentity or an array of them.
///   - outputFormat: The form; formatUnknown is formatX509Cert for one certificate, formatOpenSSL for one key and
///     formatPEMSequence for several items.
///   - flags: Whether to write PEM.
///   - keyParams: The passphrase for formatPKCS12 and formatWrappedPKCS8, or nil.
/// - Returns: errSecSuccess; errSecPassphraseRequired; errSecUnimplemented for other forms; errSecParam for items
///   that the form can't have.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat,
    _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?,
    _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    status { () throws(KeychainError) in
        let objects = try ItemObject.list(secItemOrArray, "items to export")
        // Safe: the caller's memory.
        let parameters = try unsafe TransferParameters(keyParams)
        let export = ExportedObjects(objects: objects, isPEM: flags.contains(.pemArmour))
        let file = try export.file(outputFormat, parameters)
        let data = NSData(data: Data(file))
        // Safe: the caller's memory.
        unsafe exportedData.pointee = data
    }
}

/// The parameters of a caller for a file with keys.
struct TransferParameters: ~Copyable {
    let flags: SecKeyImportExportFlags
    let passphrase: Secret?

    /// - Throws: ``Status/param`` for a passphrase of another type; ``Status/unimplemented`` for a question and a
    ///   SecAccess.
    @unsafe  // Safe: callers pass memory as they got it.
    init(
        _ parameters: UnsafePointer<SecItemImportExportKeyParameters>?
    ) throws(KeychainError) {
        // Safe: the caller's memory.
        let given = unsafe parameters?.pointee
        let flags = unsafe given?.flags ?? []
        guard unsafe given?.accessRef == nil, !flags.contains(.securePassphrase) else {
            throw KeychainError(.unimplemented)
        }
        let passphrase = try unsafe TransferParameters.passphrase(given?.passphrase)
        self.flags = flags
        self.passphrase = passphrase
    }

    @unsafe  // Safe: callers pass objects as they got them.
    private static func passphrase(_ value: Unmanaged<CFTypeRef>?) throws(KeychainError) -> Secret?
    {
        // Safe: the caller's object.
        guard let value = unsafe value else {
            return nil
        }
        return try Secret(passphrase: unsafe value.takeUnretainedValue())
    }

    /// Returns the passphrase.
    ///
    /// - Throws: ``Status/passphraseRequired`` without one.
    func required() throws(KeychainError) -> Secret {
        switch passphrase {
        case .some(let passphrase): return passphrase.copy()
        case .none: throw KeychainError(.passphraseRequired, "missing passphrase")
        }
    }
}

/// Items to be written as a file.
private struct ExportedObjects {
    let objects: [ItemObject]
    let isPEM: Bool

    func file(
        _ format: SecExternalFormat, _ parameters: borrowing TransferParameters
    ) throws(KeychainError) -> Secret {
        switch (format, objects.count == 1 ? objects.first : nil) {
        case (.formatX509Cert, .certificate(let certificate)),
            (.formatUnknown, .certificate(let certificate)):
            let own = certificate.certificate
            return Secret(bytes: isPEM ? own.pem : own.der)
        case (.formatOpenSSL, .key(let key)), (.formatUnknown, .key(let key)):
            return try key.openSSLFile(isPEM: isPEM)
        case (.formatBSAFE, .key(let key)) where key.type == .rsa && !isPEM:
            return try key.data()
        case (.formatRawKey, .key(let key)) where key.attributes.keyClass == .symmetric:
            return try key.data()
        case (.formatWrappedPKCS8, .key(let key)):
            let passphrase = try parameters.required()
            let own = try key.privateKey()
            return try isPEM
                ? own.file(.pkcs8, password: passphrase.copy())
                : own.encryptedPKCS8(password: passphrase)
        case (.formatSSHv2, .key(let key)) where key.attributes.keyClass == .public:
            return Secret(bytes: try key.publicKey().file(.openSSHPublicKey))
        case (.formatPKCS12, _): return try pkcs12(parameters.required())
        case (.formatPEMSequence, _), (.formatUnknown, _): return try pemSequence()
        case (.formatX509Cert, _), (.formatOpenSSL, _), (.formatWrappedPKCS8, _):
            throw KeychainError(.param, "a file of this form has one other item")
        default: throw KeychainError(.unimplemented, "files of this form can't be written")
        }
    }

    private func pemSequence() throws(KeychainError) -> Secret {
        var text = SecretBuilder(capacity: 4096)
        for object in objects {
            switch object {
            case .certificate(let certificate): text.append(ByteString(certificate.certificate.pem))
            case .key(let key): text.append(try key.openSSLFile(isPEM: true))
            case .identity(let identity):
                text.append(ByteString(identity.certificate.certificate.pem))
                text.append(try identity.key().openSSLFile(isPEM: true))
            case .stored: throw KeychainError(.param, "passwords can't be exported")
            }
        }
        return text.finish()
    }

    /// One identity, or a private key and its certificate, with further certificates.
    private func pkcs12(_ passphrase: borrowing Secret) throws(KeychainError) -> Secret {
        var keys: [PrivateKey] = []
        var certificates: [Certificate] = []
        for object in objects {
            switch object {
            case .certificate(let certificate): certificates.append(certificate.certificate)
            case .key(let key): keys.append(try key.privateKey())
            case .identity(let identity):
                keys.append(try identity.key().privateKey())
                certificates.append(identity.certificate.certificate)
            case .stored: throw KeychainError(.param, "passwords can't be exported")
            }
        }
        guard let key = keys.first, keys.count == 1 else {
            throw KeychainError(.unimplemented, "a PKCS #12 file here has one private key")
        }
        let hash = key.publicKey.hash
        guard let own = certificates.firstIndex(where: { $0.publicKeyHash == hash }) else {
            throw KeychainError(.param, "the certificate of the private key is missing")
        }
        certificates.insert(certificates.remove(at: own), at: 0)
        return try PKCS12.make(
            key, certificates: certificates, name: certificates[0].subjectSummary,
            password: passphrase)
    }
}

extension SecKey {
    /// Returns the key in OpenSSL's form for its type.
    fileprivate func openSSLFile(isPEM: Bool) throws(KeychainError) -> Secret {
        guard attributes.keyClass == .private else {
            let key = try publicKey()
            return Secret(
                bytes: isPEM ? try key.file(.subjectPublicKeyInfo) : key.subjectPublicKeyInfo)
        }
        let key = try privateKey()
        switch key.type {
        case .rsa: return isPEM ? try key.file(.pkcs1) : key.externalRepresentation()
        case .ellipticCurve: return try isPEM ? key.file(.sec1) : key.sec1(parameters: true)
        case .ed25519, .x25519: return try isPEM ? key.file(.pkcs8) : key.pkcs8()
        }
    }
}
