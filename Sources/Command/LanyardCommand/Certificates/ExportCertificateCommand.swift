internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices
internal import Keychains

/// `lanyard certificate export`.
struct ExportCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a certificate to a file, perhaps with its key.",
        discussion:
            "The file is PEM. With --pkcs12 it also has the private key, encrypted with a new passphrase."
    ).examples(
        "lanyard certificate export ada@example.com -",
        "lanyard certificate export --pkcs12 ada@example.com ada.p12")

    @OptionGroup var named: NamedCertificate
    @Argument(
        help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
        completion: .file())
    var file: String
    @Flag(help: "Write DER.")
    var der = false
    @Flag(help: "Add the certificates of its issuers that are in the keychain.")
    var chain = false
    @Flag(name: .customLong("pkcs12"), help: "Write PKCS #12, with the private key and the chain.")
    var isPKCS12 = false
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Read the file's passphrase from a file, or from an open descriptor from 3 up.",
            valueName: "path|fd"),
        completion: .file())
    var passphraseFile: String?

    func validate() throws {
        if der, chain || isPKCS12 {
            throw ValidationError("--der is a single certificate")
        }
        if passphraseFile != nil, !isPKCS12 {
            throw ValidationError("only --pkcs12 has a passphrase")
        }
    }

    func run() throws {
        let opened = try named.keychain.open()
        let stored = try named.find(in: opened, validAt: currentTime())
        let place = try ExportPlace(
            new: file, binary: isPKCS12 ? "PKCS #12" : der ? "DER" : nil)
        let output = try ExportOutput(place)
        if isPKCS12 {
            try output.append(try pkcs12(stored, opened.keychain))
        } else if der {
            let der = stored.certificate.der
            try output.append(Secret(copying: der.span))
        } else {
            var certificates = [stored.certificate]
            if chain {
                certificates = try opened.keychain.chain(of: stored.certificate)
            }
            let text = certificates.flatMap(\.pem)
            try output.append(Secret(copying: text.span))
        }
        try output.finish()
    }

    private func pkcs12(
        _ stored: StoredCertificate, _ keychain: Keychain
    ) throws(KeychainError) -> Secret {
        let identity = try keychain.identity(of: stored.attributes, stored.certificate)
        let passphrase = try ExportPassphrase.new(file: passphraseFile, for: "the file")
        return try PKCS12.make(
            identity.privateKey, certificates: identity.chain, name: stored.name,
            password: passphrase)
    }
}
