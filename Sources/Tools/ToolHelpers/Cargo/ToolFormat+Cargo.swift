package import KeychainServices

extension ToolFormat {
    /// cargo, whose tokens ``CargoCredentialHelper`` stores.
    package static let cargo = ToolFormat(
        name: CargoCredentialHelper.accessGroup.description,
        helper: "cargo-credential-lanyard", programs: ["cargo"],
        attributes: { name throws(KeychainError) in
            guard name.account?.isEmpty ?? true || name.protocol == .ssh else {
                throw KeychainError(.param, "cargo tokens have no account")
            }
            // cargo's own name for crates.io, which is a host's in an address.
            let isName = name.protocol == nil && name.server == "crates-io"
            guard isName || !name.isBareWord else {
                throw KeychainError(
                    .param, "cargo needs the address of a registry's index, not its name",
                    hint: "lanyard set --for cargo URL; see 'index' in ~/.cargo/config.toml")
            }
            return CargoCredentialHelper.item(
                scheme: name.protocol?.scheme ?? "https",
                host: isName ? "crates.io" : name.server ?? "", port: name.port, path: name.path)
        },
        check: { token throws(KeychainError) in try CargoCredentialHelper.check(token) },
        protocolHelper: .cargo)
}

extension ItemAttributes {
    /// Whether this is a word such as cargo's name of a registry, and no address.
    fileprivate var isBareWord: Bool {
        self.protocol == nil && port ?? 0 == 0 && path ?? "" == ""
            && server?.bytes.contains { ".:".utf8.contains($0) } == false
    }
}
