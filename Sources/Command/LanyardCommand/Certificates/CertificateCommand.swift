internal import ArgumentParser

/// `lanyard certificate`: imports, lists, shows, exports and removes certificates.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Import, list, show, export and remove certificates.",
        subcommands: [
            ImportCertificatesCommand.self, ListCertificatesCommand.self,
            ShowCertificateCommand.self, ExportCertificateCommand.self,
            RemoveCertificateCommand.self, KubectlCertificateCommand.self,
        ]
    ).examples(
        "lanyard certificate import client.p12",
        "lanyard certificate list --expired",
        "lanyard certificate show ada@example.com")
}

/// `lanyard identity`: lists certificates that have their private key.
struct IdentityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity", abstract: "List the certificates that have their private key.",
        subcommands: [ListIdentitiesCommand.self]
    ).examples("lanyard identity list")
}
