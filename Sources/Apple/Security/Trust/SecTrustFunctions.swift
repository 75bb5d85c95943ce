internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// Writes a trust object for a certificate.
///
/// - Parameters:
///   - certificates: The certificate, or an array with it first and then others that may lead to a root.
///   - policies: A policy, an array of them of which all must hold, or nil for SecPolicyCreateBasicX509.
/// - Returns: errSecSuccess, or errSecParam for other objects and for an empty array.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    status { () throws(KeychainError) in
        let all =
            certificates as? [SecCertificate] ?? (certificates as? SecCertificate).map { [$0] }
        guard let all, !all.isEmpty else {
            throw KeychainError(.param, "trust is about certificates")
        }
        let made = SecTrust(all.map(\.certificate), try SecPolicy.list(policies))
        // Safe: the caller's memory.
        unsafe trust.pointee = made
    }
}

/// Sets the policies: one, or an array of which all must hold.
///
/// - Returns: errSecSuccess, or errSecParam for other objects and for an empty array: the policies stay.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    status { () throws(KeychainError) in
        trust.policies = try SecPolicy.list(policies)
        trust.reset()
    }
}

/// Sets the roots that are trusted, instead of the system's.
///
/// - Parameter anchorCertificates: Certificates; nil for the system's roots again.
/// - Returns: errSecSuccess, or errSecParam for other objects.
@discardableResult
public func SecTrustSetAnchorCertificates(
    _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus {
    status { () throws(KeychainError) in
        let anchors = anchorCertificates.map { $0 as? [SecCertificate] }
        if case .some(nil) = anchors {
            throw KeychainError(.param, "an anchor is not a certificate")
        }
        trust.anchors = anchors.flatMap { $0?.map(\.certificate) }
        trust.usesAnchorsOnly = trust.anchors != nil
        trust.reset()
    }
}

/// Sets whether the roots of ``SecTrustSetAnchorCertificates(_:_:)`` are the only ones, and none without them;
/// otherwise the system's are trusted, too.
///
/// - Returns: errSecSuccess.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
    _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus {
    trust.usesAnchorsOnly = anchorCertificatesOnly
    trust.reset()
    return errSecSuccess
}

/// Sets when the certificates have to be valid; without it that is now.
///
/// - Returns: errSecSuccess, or errSecParam for a date that is out of range.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    guard let date = Timestamp(verifyDate as Date) else {
        return errSecParam
    }
    trust.date = date
    trust.reset()
    return errSecSuccess
}

/// Sets whether missing certificates may be fetched. Lanyard never fetches any.
///
/// - Returns: errSecSuccess.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.allowsNetworkFetch = allowFetch
    return errSecSuccess
}

/// Writes whether missing certificates may be fetched, as it was set.
///
/// - Returns: errSecSuccess.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    // Safe: the caller's memory.
    unsafe allowFetch.pointee = trust.allowsNetworkFetch
    return errSecSuccess
}
