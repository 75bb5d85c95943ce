internal import ArgumentParser
internal import LanyardTransfer
internal import KeychainServices

/// `lanyard certificate import`.
struct ImportCertificatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import certificates and keys from files.",
        discussion:
            "The files are PEM, DER or PKCS #12. Running it twice is harmless."
    ).examples(
        "lanyard certificate import client.p12",
        "lanyard certificate import --ask client.pem client-key.pem")

    @OptionGroup var files: CertificateImportArguments

    func run() throws {
        try files.run()
    }
}

/// `lanyard key import`.
struct ImportKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import keys and certificates from files.",
        discussion:
            "The files are PEM, DER, PKCS #12 or of ssh's form. Running it twice is harmless."
    ).examples(
        "lanyard key import ~/.ssh/id_ed25519",
        "lanyard key import --name deploy --ask deploy.pem")

    @OptionGroup var files: CertificateImportArguments

    func run() throws {
        try files.run()
    }
}

/// The arguments of an import of certificates and keys.
struct CertificateImportArguments: ParsableArguments {
    @Argument(help: "The files; - is standard input.", completion: .file())
    var files: [String]
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Read the files' passphrase from a file, or from an open descriptor from 3 up.",
            valueName: "path|fd"),
        completion: .file())
    var passphraseFile: String?
    @OptionGroup var options: CertificateStoringOptions
    @Flag(name: .customLong("dry-run"), help: "Only show what would be imported.")
    var isDryRun = false
    @Flag(help: "Replace items that differ with the imported ones.")
    var replace = false
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws(KeychainError) {
        try imported().show(asJSON: json.isOn)
    }

    /// The keys are gone when the report is written.
    private func imported() throws(KeychainError) -> ImportResult {
        let source = try CertificateFiles(files, options, passphraseFile: passphraseFile)
        var settings = ImportSettings()
        settings.keychain = keychain.name
        settings.items.isDryRun = isDryRun
        settings.items.replaces = replace ? .all : .none
        settings.items.rule = options.name == nil ? .loginWithoutLabel : .login
        settings.items.isAllOrNothing = true
        var result = try importItems(from: source, settings)
        result.contents = source.contents
        result.removingCommand = source.plainTextFile.map {
            "rm \($0.shellQuoted), once programs get the key from Lanyard"
        }
        return result
    }
}

/// The options with which certificates and keys are stored.
struct CertificateStoringOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A name for the certificate and its key.", valueName: "name"))
    var name: String?
    @OptionGroup var storing: KeyStoringOptions
}
