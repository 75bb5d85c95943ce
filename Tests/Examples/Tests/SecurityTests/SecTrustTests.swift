import Foundation
import Security
import Testing

/// A valid root of the system's, nil if it has none in its usual file.
private let systemRoot: SecCertificate? = {
    let file = "/etc/ssl/certs/ca-certificates.crt"
    guard let data = FileManager.default.contents(atPath: file) else {
        return nil
    }
    var items: CFArray?
    guard SecItemImport(data as CFData, nil, nil, nil, [], nil, nil, &items) == errSecSuccess else {
        return nil
    }
    return (items as? [SecCertificate])?.first { root in
        guard let first = SecCertificateCopyNotValidBeforeDate(root) as Date?,
            let last = SecCertificateCopyNotValidAfterDate(root) as Date?
        else {
            return false
        }
        return (first...last).contains(Date())
    }
}()

@Suite("SecTrust", .enabled(if: Openssl.isInstalled, "openssl is not installed"))
struct SecTrustTests {
    private let authority: Authority

    init() throws {
        authority = try Authority()
    }

    private func trust(_ policy: SecPolicy = SecPolicyCreateBasicX509()) throws -> SecTrust {
        var trust: SecTrust?
        let certificate = try authority.certificate()
        #expect(SecTrustCreateWithCertificates(certificate, policy, &trust) == errSecSuccess)
        return try #require(trust)
    }

    /// Returns the status of an evaluation.
    private func evaluate(_ trust: SecTrust) -> OSStatus {
        var error: CFError?
        guard !SecTrustEvaluateWithError(trust, &error) else {
            return errSecSuccess
        }
        return error.map { OSStatus(CFErrorGetCode($0)) } ?? errSecInternalComponent
    }

    @Test func anchors() throws {
        let trust = try trust()
        #expect(evaluate(trust) == errSecNotTrusted)
        #expect(SecTrustGetCertificateCount(trust) == 1)
        let roots = [try authority.certificate("root")] as CFArray
        #expect(SecTrustSetAnchorCertificates(trust, roots) == errSecSuccess)
        #expect(evaluate(trust) == errSecSuccess)
        let chain = try #require(SecTrustCopyCertificateChain(trust) as? [SecCertificate])
        #expect(chain == [try authority.certificate(), try authority.certificate("root")])
        #expect(SecTrustGetCertificateAtIndex(trust, 1) == chain[1])
        #expect(SecTrustGetCertificateAtIndex(trust, 2) == nil)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess)
        #expect(evaluate(trust) == errSecSuccess)
        #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        #expect(evaluate(trust) == errSecNotTrusted)
        #expect(SecTrustSetAnchorCertificates(trust, ["root"] as CFArray) == errSecParam)
    }

    @Test(.enabled(if: systemRoot != nil, "the system has no trusted root"))
    func withoutAnchorsNothingIsTrusted() throws {
        let root = try #require(systemRoot)
        var made: SecTrust?
        #expect(SecTrustCreateWithCertificates(root, nil, &made) == errSecSuccess)
        let trust = try #require(made)
        #expect(evaluate(trust) == errSecSuccess)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess)
        #expect(evaluate(trust) == errSecNotTrusted)
        #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        #expect(evaluate(trust) == errSecSuccess)
        let own = [try authority.certificate("root")] as CFArray
        #expect(SecTrustSetAnchorCertificates(trust, own) == errSecSuccess)
        #expect(evaluate(trust) == errSecNotTrusted)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess)
        #expect(evaluate(trust) == errSecSuccess)
    }

    @Test func policies() throws {
        let roots = [try authority.certificate("root")] as CFArray
        for (policy, status) in [
            (SecPolicyCreateSSL(true, authority.name as CFString), errSecSuccess),
            (SecPolicyCreateSSL(true, nil), errSecSuccess),
            (SecPolicyCreateSSL(true, "example.com" as CFString), errSecHostNameMismatch),
            (SecPolicyCreateSSL(false, nil), errSecInvalidExtendedKeyUsage),
        ] {
            let trust = try trust(policy)
            #expect(SecTrustSetAnchorCertificates(trust, roots) == errSecSuccess)
            #expect(evaluate(trust) == status)
        }
        // The host counts for a client, too: of the root, which is for any purpose.
        let client = SecPolicyCreateSSL(false, "example.com" as CFString)
        var ofRoot: SecTrust?
        #expect(SecTrustCreateWithCertificates(roots, client, &ofRoot) == errSecSuccess)
        let rootTrust = try #require(ofRoot)
        #expect(SecTrustSetAnchorCertificates(rootTrust, roots) == errSecSuccess)
        #expect(evaluate(rootTrust) == errSecHostNameMismatch)
        let trust = try trust()
        #expect(SecTrustSetAnchorCertificates(trust, roots) == errSecSuccess)
        let both = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(false, nil)]
        #expect(SecTrustSetPolicies(trust, both as CFArray) == errSecSuccess)
        #expect(evaluate(trust) == errSecInvalidExtendedKeyUsage)
        #expect(SecTrustSetPolicies(trust, "ssl" as CFString) == errSecParam)
        // The old ones stay.
        #expect(SecTrustSetPolicies(trust, NSArray()) == errSecParam)
        #expect(evaluate(trust) == errSecInvalidExtendedKeyUsage)
        #expect(SecPolicyCreateBasicX509() == SecPolicyCreateBasicX509())
        #expect(both[0] != both[1])
    }

    @Test func dates() throws {
        let trust = try trust()
        let roots = [try authority.certificate("root")] as CFArray
        #expect(SecTrustSetAnchorCertificates(trust, roots) == errSecSuccess)
        let early = Date(timeIntervalSince1970: 1_000_000_000)
        #expect(SecTrustSetVerifyDate(trust, early as CFDate) == errSecSuccess)
        #expect(evaluate(trust) == errSecCertificateNotValidYet)
        let late = Date(timeIntervalSinceNow: 25 * 86_400)
        #expect(SecTrustSetVerifyDate(trust, late as CFDate) == errSecSuccess)
        #expect(evaluate(trust) == errSecCertificateExpired)
    }

    @Test func results() throws {
        let trust = try trust()
        var result = SecTrustResultType.deny
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
        #expect(result == .invalid)
        #expect(SecTrustEvaluate(trust, &result) == errSecSuccess)
        #expect(result == .recoverableTrustFailure)
        let roots = [try authority.certificate("root")] as CFArray
        #expect(SecTrustSetAnchorCertificates(trust, roots) == errSecSuccess)
        #expect(SecTrustEvaluate(trust, &result) == errSecSuccess)
        #expect(result == .unspecified)
        #expect(SecTrustCopyKey(trust) == SecCertificateCopyKey(try authority.certificate()))
        #expect(SecTrustSetNetworkFetchAllowed(trust, true) == errSecSuccess)
        var allowed: DarwinBoolean = false
        #expect(SecTrustGetNetworkFetchAllowed(trust, &allowed) == errSecSuccess)
        #expect(allowed)
        var none: SecTrust?
        #expect(SecTrustCreateWithCertificates("x" as CFString, nil, &none) == errSecParam)
        #expect(SecTrustCreateWithCertificates(NSArray(), nil, &none) == errSecParam)
        let certificate = try authority.certificate()
        #expect(SecTrustCreateWithCertificates(certificate, NSArray(), &none) == errSecParam)
        #expect(none == nil)
    }
}
