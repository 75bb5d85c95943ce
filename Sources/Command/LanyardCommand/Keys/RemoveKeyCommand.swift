internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices
internal import LanyardPrompting

/// `lanyard key remove`.
struct RemoveKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a key: the private one and the public one.",
        discussion: "At a terminal, Lanyard asks first.",
        aliases: ["rm"]
    ).examples(
        "lanyard key remove deploy")

    @OptionGroup var named: NamedKey
    @Flag(help: "Remove it without asking.")
    var yes = false

    func run() throws {
        let opened = try named.keychain.open()
        let key = try named.find(in: opened)
        let what = "the key '\(key.name)'"
        try askToRemove(what, yes: yes)
        try opened.keychain.transaction { () throws(KeychainError) in
            try opened.keychain.delete(Query(key.reference))
            if key.attributes.keyClass == .private {
                try opened.keychain.deleteKeys(
                    key.attributes.applicationLabel ?? "", [.public],
                    accessGroup: key.attributes.accessGroup)
            }
        }
        noteRemoved(what)
    }
}
