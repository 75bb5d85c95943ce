package import KeychainServices

extension ToolFormat {
    /// pnpm, whose tokens are those of npm's registries.
    package static let npm = ToolFormat(
        tokensOf: "npm", helper: "pnpm-token-lanyard", programs: ["pnpm"], protocolHelper: .pnpm)
}
