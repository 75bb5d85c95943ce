package import KeychainServices

extension ToolFormat {
    /// ansible, which asks for the passwords of its vaults.
    package static let ansible = ToolFormat(
        secretsOf: "ansible", helper: "ansible-lanyard-client",
        programs: ["ansible", "ansible-playbook", "ansible-vault"], namedBy: "a vault ID",
        check: { password throws(KeychainError) in
            let isLine = password.withBytes { bytes in
                bytes.indices.allSatisfy { ![0x0A, 0x0D].contains(bytes[$0]) }
            }
            guard isLine else {
                throw KeychainError(.param, "vault passwords must be one line")
            }
        }, protocolHelper: .ansible)
}
