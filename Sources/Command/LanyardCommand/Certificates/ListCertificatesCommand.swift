internal import ArgumentParser
internal import LanyardCertificates
internal import Keychains
internal import KeychainServices

/// `lanyard certificate list`.
struct ListCertificatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the certificates.",
        discussion: "The latest comes first. Nothing has to be unlocked.",
        aliases: ["ls"]
    ).examples(
        "lanyard certificate list",
        "lanyard certificate list --expired")

    @Flag(help: "Only certificates that have expired.")
    var expired = false
    @OptionGroup var group: GroupOption
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let opened = try keychain.open()
        let all = try opened.keychain.storedCertificates(group: group.name.map { ByteString($0) })
        if all.isEmpty {
            group.noteNothing(in: opened)
        }
        let now = currentTime()
        try CertificateListing(
            certificates: expired ? all.filter { $0.certificate.notValidAfter < now } : all,
            opened: opened
        ).write(asJSON: json.isOn)
    }
}

/// `lanyard identity list`.
struct ListIdentitiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the certificates that have their private key.",
        discussion: "The latest comes first. Nothing has to be unlocked.",
        aliases: ["ls"]
    ).examples(
        "lanyard identity list",
        "lanyard identity list --json")

    @OptionGroup var group: GroupOption
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let opened = try keychain.open()
        let all = try opened.keychain.storedCertificates(group: group.name.map { ByteString($0) })
        if all.isEmpty {
            group.noteNothing(in: opened)
        }
        try CertificateListing(certificates: all.filter(\.hasPrivateKey), opened: opened)
            .write(asJSON: json.isOn)
    }
}
