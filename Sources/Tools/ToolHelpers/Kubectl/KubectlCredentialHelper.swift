package import KeychainServices

/// Answers kubectl with tokens of a keychain.
package struct KubectlCredentialHelper {
    /// The access group of tokens.
    package static let accessGroup: ByteString = "kubectl"

    /// The groups in which the helper looks: people import certificates for more than kubectl.
    package static let accessGroups = AccessGroups(accessGroup, others: ["login"])

    /// The word for the cluster that kubectl names.
    static let cluster = "cluster"

    let keychain: Keychain

    /// Whether a login is a token: every other name is of a certificate. A server without https has none, but its
    /// address is no certificate's name.
    static func isToken(_ what: String) -> Bool {
        guard what != cluster, !what.hasPrefix("https://") else {
            return true
        }
        guard let url = ServerURL(ByteString(what)) else {
            return false
        }
        return switch url.scheme?.lowercasedASCII {
        case "http", "https": true
        case nil: url.port != nil
        default: false
        }
    }

    /// Returns the token for a request.
    ///
    /// - Parameters:
    ///   - what: The URL of a cluster's server, or ``cluster`` for the one that the request names.
    ///   - account: The account of the token; nil for any.
    /// - Throws: ``Status/itemNotFound``; what the keychain throws.
    func get(
        _ what: String, account: String? = nil, for request: ExecCredentialRequest
    ) throws(KeychainError) -> ExecCredential {
        guard what == KubectlCredentialHelper.cluster else {
            return ExecCredential(try token(ByteString(what), account))
        }
        guard let server = request.server else {
            throw KeychainError(
                .param, "kubectl does not name the cluster",
                hint: "set provideClusterInfo: true in the kubeconfig")
        }
        return ExecCredential(try token(server, account))
    }

    private func token(
        _ address: ByteString, _ account: String?
    ) throws(KeychainError) -> Secret {
        guard let url = ServerURL(address) else {
            throw KeychainError(.param, "the address of the cluster is not a URL")
        }
        guard url.scheme?.lowercasedASCII == "https" else {
            throw KeychainError(.param, "kubectl gets tokens only for https servers")
        }
        let login = try keychain.serverLogin(
            for: url, account: account.map { ByteString($0) },
            in: KubectlCredentialHelper.accessGroup)
        guard let login else {
            throw KeychainError(
                .itemNotFound,
                "found no token for \(account.map { "\($0) on " } ?? "")\(url.host)",
                hint: "lanyard set --for kubectl \(address.shellWord)"
                    + (account.map { " \($0.shellWord)" } ?? ""))
        }
        return login.secret.copy()
    }
}
