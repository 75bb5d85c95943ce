package import KeychainServices

extension ToolFormat {
    /// vault, whose tokens ``VaultTokenHelper`` stores.
    package static let vault = ToolFormat(
        tokensOf: VaultTokenHelper.accessGroup.description, helper: "vault-token-lanyard",
        programs: ["vault", "bao"], hostlessSchemes: ["unix"], protocolHelper: .vault)
}
