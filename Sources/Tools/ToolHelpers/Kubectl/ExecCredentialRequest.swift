package import KeychainServices
internal import StrictJSON

/// What kubectl asks for, in the environment variable KUBERNETES_EXEC_INFO.
///
/// The corresponding type is ExecCredential of client.authentication.k8s.io, with its spec.
package struct ExecCredentialRequest: Equatable, Sendable {
    /// The version of the protocol, which the answer repeats.
    package let apiVersion: ByteString
    /// The address of the cluster's server; nil without `provideClusterInfo: true` in the kubeconfig.
    package let server: ByteString?

    /// The environment variable with the request.
    package static let variable = "KUBERNETES_EXEC_INFO"

    private static let versions: [ByteString] = [
        "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1",
    ]

    /// The largest request in bytes: it may have the cluster's certificates.
    private static let sizeLimit = 1 << 20

    /// Reads a request; without one it is of version 1 and names no cluster.
    ///
    /// - Throws: ``Status/decode`` for anything else; ``Status/wrongVersion`` for another version.
    package init(_ text: String?) throws(KeychainError) {
        guard let text else {
            apiVersion = ExecCredentialRequest.versions[0]
            server = nil
            return
        }
        var version: ByteString?
        var kind: ByteString?
        var server: ByteString?
        let bytes = Array(text.utf8)
        do throws(KeychainError) {
            try JSONReader.readObject(bytes.span, limit: ExecCredentialRequest.sizeLimit) {
                name, reader throws(KeychainError) in
                switch name {
                case "apiVersion": version = try reader.readText()
                case "kind": kind = try reader.readText()
                case "spec": server = try ExecCredentialRequest.readServer(&reader)
                default: break
                }
            }
        } catch {
            throw KeychainError(
                .decode, "\(ExecCredentialRequest.variable) is invalid: \(error.reason)")
        }
        guard kind == "ExecCredential", let version else {
            throw KeychainError(
                .decode, "\(ExecCredentialRequest.variable) is not an ExecCredential")
        }
        guard ExecCredentialRequest.versions.contains(version) else {
            throw KeychainError(
                .wrongVersion, "kubectl asks with an unknown version of the protocol",
                hint: "set apiVersion: client.authentication.k8s.io/v1 in the kubeconfig")
        }
        apiVersion = version
        self.server = server
    }

    private static func readServer(
        _ reader: inout JSONReader
    ) throws(KeychainError) -> ByteString? {
        var server: ByteString?
        try reader.readObject { name, reader throws(KeychainError) in
            guard name == "cluster" else {
                return
            }
            try reader.readObject { name, reader throws(KeychainError) in
                if name == "server" {
                    server = try reader.readText()
                }
            }
        }
        return server
    }
}
