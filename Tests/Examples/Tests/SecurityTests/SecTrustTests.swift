import Foundation
import Security
import Testing

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
        let trust = try trust()
        #expect(SecTrustSetAnchorCertificates(trust, roots) == errSecSuccess)
        let both = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(false, nil)]
        #expect(SecTrustSetPolicies(trust, both as CFArray) == errSecSuccess)
        #expect(evaluate(trust) == errSecInvalidExtendedKeyUsage)
        #expect(SecTrustSetPolicies(trust, "ssl" as CFString) == errSecParam)
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
        #expect(none == nil)
    }
}
