internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices

/// `lanyard key export`: writes a private key to a file.
struct ExportKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a private key to a file, encrypted.",
        discussion:
            "The file is PKCS #8, or ssh's own format with --openssh. Lanyard asks for a new passphrase."
    ).examples(
        "lanyard key export deploy deploy.pem",
        "lanyard key export --openssh deploy id_deploy")

    @OptionGroup var named: NamedKey
    @OptionGroup var target: PrivateFileOptions
    @Flag(name: .customLong("openssh"), help: "Write ssh's own format.")
    var isOpenSSH = false

    func run() throws {
        let opened = try named.keychain.open()
        let stored = try named.find(in: opened)
        guard stored.attributes.keyClass == .private else {
            throw KeychainError(
                .itemNotFound, "the private key of '\(named.name)' is not in the keychain",
                hint: "lanyard key show prints the public one")
        }
        let output = try target.open()
        try output.append(try file(stored, opened.keychain))
        try output.finish()
    }

    /// The key itself is gone when its file is written.
    private func file(
        _ stored: StoredKey, _ keychain: Keychain
    ) throws(KeychainError) -> Secret {
        let key = try keychain.privateKey(stored.reference)
        let comment = stored.attributes.label ?? ""
        let format: KeyFormat = isOpenSSH ? .openSSH : .pkcs8
        switch try target.passphrase() {
        case .some(let passphrase):
            return try key.file(format, password: passphrase.copy(), comment: comment)
        case .none: return try key.file(format, comment: comment)
        }
    }
}
