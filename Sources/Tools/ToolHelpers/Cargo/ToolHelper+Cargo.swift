internal import KeychainServices

extension ToolHelper {
    /// Answers cargo's requests until cargo closes standard input.
    static let cargo = ToolHelper(
        help: """
            usage: cargo-credential-lanyard [--keychain NAME] --cargo-plugin
                   cargo-credential-lanyard --help|--version

            Stores the tokens of cargo's registries in an encrypted keychain. cargo starts it.

            examples:
              cargo --config 'registry.global-credential-providers=["cargo-credential-lanyard"]' login
              lanyard set --for cargo sparse+https://registry.example/index/
            """, accessGroups: AccessGroups(CargoCredentialHelper.accessGroup)
    ) { session throws(KeychainError) in
        guard session.arguments == ["--cargo-plugin"] else {
            throw session.wrongUsage("cargo starts this program with --cargo-plugin")
        }
        try session.write(Secret("{\"v\":[1]}\n"))
        let helper = CargoCredentialHelper(session)
        while let line = try session.readLine() {
            try session.write(try helper.answer(line))
        }
    }
}
