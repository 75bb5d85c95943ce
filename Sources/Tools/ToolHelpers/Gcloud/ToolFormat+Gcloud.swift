package import KeychainServices

extension ToolFormat {
    /// Google's clients, whose tokens for workload identity federation ``GcloudCredentialHelper`` finds.
    package static let gcloud = ToolFormat(
        name: GcloudCredentialHelper.accessGroup.description,
        helper: "gcloud-credential-lanyard", programs: ["gcloud"], isForServers: false,
        attributes: { attributes throws(KeychainError) in
            let start = Array("//iam.googleapis.com/".utf8)
            guard attributes.server == nil, attributes.service?.bytes.starts(with: start) == true
            else {
                throw KeychainError(
                    .param, "an audience of gcloud starts with //iam.googleapis.com/")
            }
            return attributes
        },
        check: { token throws(KeychainError) in
            guard token.isText else {
                throw KeychainError(.param, "gcloud tokens are text")
            }
        }, protocolHelper: .gcloud)
}

extension Secret {
    /// Whether it is UTF-8 without control characters.
    var isText: Bool {
        withBytes { bytes in
            bytes.isUTF8 && bytes.indices.allSatisfy { bytes[$0] >= 0x20 && bytes[$0] != 0x7F }
        }
    }
}
