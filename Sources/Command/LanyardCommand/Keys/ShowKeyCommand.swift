internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices
internal import LanyardPrompting

/// `lanyard key show`: prints a public key.
struct ShowKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a public key.",
        discussion: "The form is ssh's if ssh has such keys, else PEM."
    ).examples(
        "lanyard key show deploy",
        "lanyard key show --pem deploy")

    @OptionGroup var named: NamedKey
    @Flag(help: "Print it as PEM.")
    var pem = false

    func run() throws {
        let opened = try named.keychain.open()
        let key = try named.find(in: opened)
        let publicKey: PublicKey
        if let stored = key.publicKey {
            publicKey = stored
        } else {
            publicKey = try opened.keychain.privateKey(key.reference).publicKey
        }
        let text = try publicKey.text(asPEM: pem, comment: key.attributes.label ?? "")
        try writeAnswer(Secret(copying: text.span))
    }
}
