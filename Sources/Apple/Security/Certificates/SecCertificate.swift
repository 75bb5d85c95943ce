internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// A certificate. Two are equal if their bytes are. The C type is SecCertificateRef.
public final class SecCertificate: NSObject, Sendable {
    let certificate: Certificate
    /// Its item, nil for one that is not from a keychain.
    let item: SecKeychainItem?

    init(_ certificate: Certificate, item: SecKeychainItem? = nil) {
        self.certificate = certificate
        self.item = item
    }

    /// Whether another object is the same certificate.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecCertificate)?.certificate == certificate
    }

    /// A number that equal certificates share.
    public override var hash: Int { certificate.hashValue }

    /// A short name of the subject.
    public override var description: String {
        "<SecCertificate: \(certificate.subjectSummary)>"
    }
}

/// Returns the certificate with these bytes.
///
/// - Parameters:
///   - allocator: Ignored.
///   - data: The certificate, DER, up to 64 KiB.
/// - Returns: Nil for anything else.
public func SecCertificateCreateWithData(
    _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? {
    let der = data as Data
    return (try? Certificate(der: der.span)).map { SecCertificate($0) }
}

/// Returns a certificate's bytes: DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    NSData(data: Data(certificate.certificate.der))
}

/// Returns a short name of the subject for users.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    NSString(string: certificate.certificate.subjectSummary)
}

/// Writes the subject's common name, nil without one.
///
/// - Returns: errSecSuccess.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    // Safe: the caller's memory.
    unsafe commonName.pointee = certificate.certificate.commonName.map { NSString(string: $0) }
    return errSecSuccess
}

/// Writes the subject's e-mail addresses.
///
/// - Returns: errSecSuccess.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    let addresses = certificate.certificate.emailAddresses.map(\.description)
    // Safe: the caller's memory.
    unsafe emailAddresses.pointee = NSArray(array: addresses)
    return errSecSuccess
}

/// Returns the issuer's name in a form in which equal names have equal bytes: kSecAttrIssuer.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    NSData(data: Data(certificate.certificate.normalizedIssuer))
}

/// Returns the subject's name in a form in which equal names have equal bytes: kSecAttrSubject.
public func SecCertificateCopyNormalizedSubjectSequence(
    _ certificate: SecCertificate
) -> CFData? {
    NSData(data: Data(certificate.certificate.normalizedSubject))
}

/// Returns the serial number, the bytes of a signed number with the most significant first.
///
/// - Parameter error: Nothing is written.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    NSData(data: Data(certificate.certificate.serialNumber))
}

/// Returns the public key, nil for an unsupported type.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    certificate.certificate.publicKey.map { SecKey(.publicKey($0)) }
}

/// Returns the first moment at which the certificate is valid.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    Date(certificate.certificate.notValidBefore) as NSDate
}

/// Returns the last moment at which the certificate is valid.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    Date(certificate.certificate.notValidAfter) as NSDate
}
