internal import Certificates
package import KeychainServices

/// Answers kubectl from a keychain.
package struct KubectlCredentialHelper {
    /// The access group of tokens.
    package static let accessGroup: ByteString = "kubectl"

    /// The groups in which the helper looks: people import certificates for more than kubectl.
    package static let accessGroups = AccessGroups(accessGroup, others: ["login"])

    /// The word for the cluster that kubectl names.
    package static let cluster = "cluster"

    private let keychain: Keychain

    /// Creates a helper on a keychain.
    package init(keychain: Keychain) {
        self.keychain = keychain.using(CertificateDecoder())
    }

    /// Returns the login for a request.
    ///
    /// - Parameters:
    ///   - what: The URL of a cluster's server, ``cluster`` for the one that the request names, or the name of a
    ///     certificate.
    ///   - account: The account of the token; nil for any.
    /// - Throws: ``Status/itemNotFound``; ``Status/certificateExpired``; what the keychain throws.
    package func get(
        _ what: String, account: String? = nil, for request: ExecCredentialRequest
    ) throws(KeychainError) -> ExecCredential {
        if what == KubectlCredentialHelper.cluster {
            guard let server = request.server else {
                throw KeychainError(
                    .param, "kubectl does not name the cluster",
                    hint: "set provideClusterInfo: true in the kubeconfig")
            }
            return ExecCredential(try token(server, account))
        }
        if what.hasPrefix("https://") {
            return ExecCredential(try token(ByteString(what), account))
        }
        guard account == nil else {
            throw KeychainError(.param, "a certificate has no account")
        }
        return try certificate(what)
    }

    private func token(
        _ address: ByteString, _ account: String?
    ) throws(KeychainError) -> Secret {
        guard let url = ServerURL(address) else {
            throw KeychainError(.param, "the address of the cluster is not a URL")
        }
        var query = Query(.internetPassword, returns: .data)
        query.attributes.accessGroup = KubectlCredentialHelper.accessGroup
        query.attributes.server = url.host.lowercasedASCII
        query.attributes.protocol = .https
        query.attributes.port = url.port ?? 0
        query.attributes.account = account.map { ByteString($0) }
        query.attributes.isNegative = false
        var token: Secret?
        try keychain.forEachMatch(query) { item in
            token = item.secret
            return .stop
        }
        guard let token = token.take() else {
            throw KeychainError(
                .itemNotFound,
                "found no token for \(account.map { "\($0) on " } ?? "")\(url.host)",
                hint: "lanyard set --for kubectl \(address)\(account.map { " \($0)" } ?? "")")
        }
        return token
    }

    private func certificate(_ name: String) throws(KeychainError) -> ExecCredential {
        let stored = try keychain.storedCertificate(named: name)
        let identity = try keychain.identity(of: stored.attributes, stored.certificate)
        return ExecCredential(
            try identity.privateKey.file(.pkcs8),
            certificate: ExecCredential.ClientCertificate(
                chain: identity.chainPEM, expires: stored.certificate.notValidAfter))
    }
}
