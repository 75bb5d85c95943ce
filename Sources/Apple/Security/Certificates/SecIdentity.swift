internal import LanyardCertificates
internal import KeychainServices
internal import SecurityFunctions

/// A certificate with its private key. Two are equal if their certificates are. The C type is SecIdentityRef.
public final class SecIdentity: NSObject, Sendable {
    let certificate: SecCertificate
    /// The private key; nil if it is looked up in the keychain.
    private let privateKey: SecKey?
    /// Its item, nil for one that is not from a keychain.
    let item: SecKeychainItem?
    /// What uses of a looked-up private key have.
    private let access: KeyAccess

    /// Creates an identity of a keychain, whose private key is looked up when it is needed.
    init(_ certificate: SecCertificate, item: SecKeychainItem, _ access: KeyAccess) {
        self.certificate = certificate
        privateKey = nil
        self.item = item
        self.access = access
    }

    /// Creates an identity with a private key that belongs to the certificate.
    init(_ certificate: SecCertificate, _ privateKey: SecKey) {
        self.certificate = certificate
        self.privateKey = privateKey
        item = nil
        access = KeyAccess()
    }

    /// Returns the private key, without its data if it is a keychain's.
    ///
    /// - Throws: ``Status/itemNotFound`` if it is in the keychain no more.
    func key() throws(KeychainError) -> SecKey {
        if let privateKey {
            return privateKey
        }
        return try SecKey.privateKey(of: certificate.certificate, in: item?.keychain, access)
    }

    /// Whether another object is the same identity.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecIdentity)?.certificate == certificate
    }

    /// A number that equal identities share.
    public override var hash: Int { certificate.hash }

    /// A short name of the subject.
    public override var description: String {
        "<SecIdentity: \(certificate.certificate.subjectSummary)>"
    }
}

/// Writes an identity's certificate.
///
/// - Returns: errSecSuccess.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    // Safe: the caller's memory.
    unsafe certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// Writes an identity's private key. Its data is not read before it is used.
///
/// - Returns: errSecSuccess; errSecItemNotFound if the key was deleted from the keychain.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    status { () throws(KeychainError) in
        let key = try identityRef.key()
        // Safe: the caller's memory.
        unsafe privateKeyRef.pointee = key
    }
}

/// Writes the identity of a certificate and its private key in a keychain.
///
/// - Parameters:
///   - keychainOrArray: A SecKeychain, an array of them, or nil for the search list.
///   - certificateRef: The certificate, which need not be in a keychain.
/// - Returns: errSecSuccess; errSecItemNotFound without the private key.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    status { () throws(KeychainError) in
        for name in try SecKeychain.names(keychainOrArray) {
            do throws(KeychainError) {
                let key = try SecKey.privateKey(of: certificateRef.certificate, in: name)
                // Safe: the caller's memory.
                unsafe identityRef.pointee = SecIdentity(certificateRef, key)
                return
            } catch {
                guard error.status == .itemNotFound else {
                    throw error
                }
            }
        }
        throw KeychainError(.itemNotFound, "the certificate has no private key here")
    }
}

/// Returns the identity of a certificate and a private key.
///
/// - Parameter allocator: Ignored.
/// - Returns: Nil unless the key is the certificate's.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    let attributes = privateKey.attributes
    guard attributes.keyClass == .private,
        attributes.applicationLabel == ByteString(certificate.certificate.publicKeyHash)
    else {
        return nil
    }
    return SecIdentity(certificate, privateKey)
}
