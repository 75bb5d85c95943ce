package import KeychainServices

extension ToolFormat {
    /// Programs that run `keyring`, or its library for Python with Lanyard's backend.
    package static let keyring = ToolFormat(
        name: KeyringCredentialHelper.accessGroup.description, helper: "keyring-lanyard",
        furtherNames: ["keyring"], programs: ["pip", "uv", "pdm", "twine", "poetry", "hatch"],
        isForServers: false,
        attributes: { name throws(KeychainError) in
            var attributes = name
            if let server = name.server {
                let url = ServerURL(
                    scheme: name.protocol?.scheme, host: server, port: name.port
                ).normalized
                attributes.server = url.host
                attributes.port = url.port
                attributes.path = name.path?.trimmingSlashes
            }
            return attributes
        },
        check: { password throws(KeychainError) in
            try KeyringCredentialHelper.check(password)
        },
        protocolHelper: .keyring)
}
