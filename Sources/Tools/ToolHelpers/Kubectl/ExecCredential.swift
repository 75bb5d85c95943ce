package import KeychainServices
internal import StrictJSON

/// The login that kubectl gets: a client certificate with its private key, or a token.
///
/// The corresponding type is ExecCredential of client.authentication.k8s.io, with its status.
package struct ExecCredential: ~Copyable {
    /// The bearer token, or the private key of the certificate as PEM.
    package let secret: Secret
    /// The client certificate; nil with a token.
    package let certificate: ClientCertificate?

    /// A client certificate.
    package struct ClientCertificate: Equatable, Sendable {
        /// The certificate with its chain, PEM.
        package let chain: [UInt8]
        /// The last moment at which the certificate is valid.
        package let expires: Timestamp

        /// Creates a certificate.
        package init(chain: [UInt8], expires: Timestamp) {
            self.chain = chain
            self.expires = expires
        }
    }

    /// Creates the login of a token, or of a certificate's private key.
    package init(_ secret: consuming Secret, certificate: ClientCertificate? = nil) {
        self.secret = secret
        self.certificate = certificate
    }

    /// Returns the answer to a request, one line of JSON.
    ///
    /// - Throws: ``Status/decode`` for a token that is not text.
    package consuming func answer(
        to request: ExecCredentialRequest
    ) throws(KeychainError) -> Secret {
        guard secret.withBytes({ $0.isUTF8 }) else {
            throw KeychainError(.decode, "the token is not text")
        }
        let certificate = certificate
        let secret = secret
        return try ExecCredential.write(request) { writer throws(KeychainError) in
            guard let certificate else {
                return try writer.member("token", secret)
            }
            try writer.member("clientCertificateData", ByteString(certificate.chain))
            try writer.member("clientKeyData", secret)
            try writer.member("expirationTimestamp", ByteString(certificate.expires.text))
        }
    }

    private static func write(
        _ request: ExecCredentialRequest,
        _ status: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Secret {
        try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("apiVersion", request.apiVersion)
            try writer.member("kind", "ExecCredential")
            try writer.member(object: "status", status)
        }
    }
}
