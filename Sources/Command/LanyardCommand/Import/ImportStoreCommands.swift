internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardTransfer
internal import KeychainServices
internal import ToolSetup

/// `lanyard import secret-service`.
struct ImportSecretServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret-service",
        abstract: "Import every item of the desktop's Secret Service.",
        discussion: "Without --keychain they go into the first sealed keychain."
    ).examples(
        "lanyard import secret-service --dry-run",
        "lanyard import secret-service --keychain login")

    @OptionGroup var options: ImportOptions

    func run() throws {
        let configuration = try Configuration()
        // Without a configuration, the default may be the Secret Service itself.
        let target = try configuration.sealedKeychain(flag: options.keychain.name)
        guard target != Configuration.secretService else {
            throw KeychainError(
                .param, "the Secret Service can't be imported into itself",
                hint: "name another keychain with --keychain")
        }
        var settings = try options.settings()
        settings.keychain = target
        let source = try secretServiceItems(mayAsk: !settings.items.isDryRun)
        try importItems(from: source, settings).show(asJSON: options.json.isOn)
    }
}

/// Lists the items of the desktop's Secret Service.
///
/// - Parameter mayAsk: Whether the user may be asked to unlock it.
func secretServiceItems(mayAsk: Bool) throws(KeychainError) -> KeychainSource {
    try KeychainSource(try OpenKeychains(Configuration.secretService, mayAsk: mayAsk).keychain)
}

/// `lanyard import pass`.
struct ImportPassCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pass", abstract: "Import the entries of pass, decrypted by gpg."
    ).examples(
        "lanyard import pass --dry-run",
        "lanyard import pass web")

    @Argument(help: "Only this entry, or the entries in this folder of the store.")
    var prefix: String?
    @OptionGroup var time: AnswerTimeOption
    @OptionGroup var options: ImportOptions

    func run() throws {
        let folder = try SetupEnvironment().passwordStoreFolder()
        try options.run(
            try PassStore(folder, prefix: prefix, timeLimit: try time.seconds), requiresAll: true)
    }
}
