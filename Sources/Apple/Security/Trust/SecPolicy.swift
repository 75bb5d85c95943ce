internal import LanyardCertificates
internal import KeychainServices

/// What a certificate has to be good for. The C type is SecPolicyRef.
public final class SecPolicy: NSObject, Sendable {
    let policy: CertificateTrust.Policy

    init(_ policy: CertificateTrust.Policy) {
        self.policy = policy
    }

    /// Whether another object is the same policy.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecPolicy)?.policy == policy
    }

    /// A number that equal policies share.
    public override var hash: Int { policy.hashValue }

    /// Whether a certificate is good for it by its own purposes, names and dates, whoever signed it.
    func fits(_ certificate: Certificate, on date: Timestamp?) -> Bool {
        CertificateTrust(policy: policy, anchors: .only([certificate]), date: date)
            .isTrusted(certificate)
    }

    /// Returns the policies of a caller: one, an array of them, or nil for the basic one.
    ///
    /// - Throws: ``Status/param`` for an empty array and anything else.
    static func list(_ policies: AnyObject?) throws(KeychainError) -> [CertificateTrust.Policy] {
        switch policies {
        case nil: return [.basic]
        case let policy as SecPolicy: return [policy.policy]
        case let policies as [SecPolicy] where !policies.isEmpty: return policies.map(\.policy)
        default: throw KeychainError(.param, "this is not a policy")
        }
    }
}

/// Returns the policy of RFC 5280 alone: valid dates, and a chain to a trusted root.
public func SecPolicyCreateBasicX509() -> SecPolicy {
    SecPolicy(.basic)
}

/// Returns the policy for TLS.
///
/// - Parameters:
///   - server: Whether the certificate is a server's; otherwise it is a client's.
///   - hostname: The name or the address that the certificate is for, nil for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    let name = hostname.map { $0 as String }
    return SecPolicy(server ? .server(name) : .client(name))
}
