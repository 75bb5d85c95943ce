internal import LanyardCertificates
internal import KeychainServices
internal import SecurityFunctions

/// The result of an evaluation. The C type is SecTrustResultType.
public enum SecTrustResultType: UInt32, Sendable {
    /// Nothing was evaluated.
    case invalid = 0
    /// The user trusts the certificate; Lanyard asks no user.
    case proceed = 1
    /// The user distrusts the certificate; Lanyard asks no user.
    case deny = 3
    /// The certificate is trusted.
    case unspecified = 4
    /// The certificate is not trusted.
    case recoverableTrustFailure = 5
    /// The certificate is damaged.
    case fatalTrustFailure = 6
    /// The evaluation failed.
    case otherError = 7
}

/// Returns whether a certificate is trusted.
///
/// - Parameter error: Where to write why not, or nil.
public func SecTrustEvaluateWithError(
    _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
    let failure: KeychainError
    do throws(KeychainError) {
        let result = try trust.evaluate()
        if result.isTrusted {
            return true
        }
        let name = trust.certificates[0].subjectSummary
        failure = KeychainError(
            result.status, "“\(name)” is not trusted: \(result.reason ?? "for no known reason")")
    } catch {
        failure = error
    }
    // Safe: the caller's memory.
    unsafe error?.pointee = failure.cfError
    return false
}

/// Writes the result of an evaluation; ``SecTrustEvaluateWithError(_:_:)`` also says why.
///
/// - Returns: errSecSuccess also for a certificate that is not trusted.
@discardableResult
public func SecTrustEvaluate(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    status { () throws(KeychainError) in
        let isTrusted = try trust.evaluate().isTrusted
        // Safe: the caller's memory.
        unsafe result.pointee = isTrusted ? .unspecified : .recoverableTrustFailure
    }
}

/// Writes the result of the last evaluation.
///
/// - Returns: errSecSuccess.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    let last = trust.lastResult.map {
        $0.isTrusted ? SecTrustResultType.unspecified : .recoverableTrustFailure
    }
    // Safe: the caller's memory.
    unsafe result.pointee = last ?? .invalid
    return errSecSuccess
}

/// Returns the certificate and those that lead to a root, as far as they are known.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    NSArray(array: trust.chain.map { SecCertificate($0) })
}

/// Returns the number of certificates in the chain.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.chain.count }

/// Returns a certificate of the chain, nil beyond its end.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
    let chain = trust.chain
    return chain.indices.contains(index) ? SecCertificate(chain[index]) : nil
}

/// Returns the certificate's public key, nil for an unsupported type.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.certificates[0].publicKey.map { SecKey(.publicKey($0)) }
}

/// The older name of ``SecTrustCopyKey(_:)``.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

extension SecTrust {
    /// The chain; the certificate alone if it can't be evaluated.
    fileprivate var chain: [Certificate] { (try? evaluate().chain) ?? [certificates[0]] }
}
