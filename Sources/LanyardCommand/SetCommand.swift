internal import ArgumentParser
internal import HelperKit
internal import Keychain

/// `lanyard set`: stores a secret.
struct SetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set", abstract: "Store a secret.",
            discussion: "The secret is asked for at the terminal, or read from standard input."
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Flag(help: "Read the secret from standard input: all of it, less one newline at the end.")
    var stdin = false
    @Flag(name: .customLong("no-replace"), help: "Fail if there is such an item already.")
    var noReplace = false
    @Option(help: "The group to store the item in.", completion: .stored(.groups))
    var group = "login"
    @OptionGroup var attributes: AttributeOptions
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let item = try StoredItem(named, attributes, group: group, keychain)
        // First, so that nobody types a secret for nothing.
        let exists = try item.isThere()
        guard !noReplace || !exists else {
            throw KeychainError(
                .duplicateItem, "there is an item '\(named.what)' already",
                hint: "leave --no-replace out to give it another secret")
        }
        let prompt = "secret for \(named.what): "
        let secret =
            stdin
            ? try readStandardInput(limit: Keychain.secretLimit)
            : try askForSecret(prompt: prompt, hint: "give it with --stdin")
        if noReplace {
            try item.add(secret)
        } else {
            try item.replace(secret)
        }
    }
}
