internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import KeychainPlugin
internal import LinuxSystem
internal import SealedStore

/// `lanyard keychain create`.
struct CreateKeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a keychain, or name an existing one.",
        discussion:
            "A new sealed keychain is empty. A Secret Service or plugin keychain only gets a name."
    ).examples(
        "lanyard keychain create work",
        "lanyard keychain create vault --kind secret-service --collection Vault")

    @Argument(help: "The keychain's name: letters, digits, '_', '-' and '.'.")
    var name: String
    @Option(
        help: ArgumentHelp(
            "The kind: sealed, secret-service, or that of a plugin.", valueName: "kind"))
    var kind = "sealed"
    @Option(
        help: ArgumentHelp(
            "The file's path, instead of the folder for keychains.", valueName: "path"),
        completion: .file())
    var file: String?
    @Option(
        help: ArgumentHelp(
            "The collection of the Secret Service, instead of its default one.",
            valueName: "collection"))
    var collection: String?
    @Option(
        help: ArgumentHelp(
            "The plugin's path, if it is not one of Lanyard's own.", valueName: "path"),
        completion: .file())
    var plugin: String?

    func run() throws {
        var keychains = try UserKeychains()
        guard let kind = KeychainKind(name: kind) else {
            throw KeychainError(
                .param, "'\(kind)' is not a kind of keychain",
                hint: "use 'sealed' or 'secret-service'")
        }
        try checkOptions(kind)
        guard kind != .sealed else {
            return try createSealed(&keychains)
        }
        try keychains.add(
            name, kind: kind.name, settings: collection.map { ["collection": $0] } ?? [:],
            plugin: plugin
        ) { configuration throws(KeychainError) in try tryOut(kind, configuration) }
    }

    /// Creates a sealed keychain. With a sealed machine key, it gets a recovery key at once if the user can
    /// write that down.
    private func createSealed(_ keychains: inout UserKeychains) throws(KeychainError) {
        let machine = try MachineKeychains()
        if canAskAtTerminal(), machine.place.canSeal {
            _ = try machine.place.makeSealed()
        }
        try keychains.create(name, file: file)
        guard let storage = try machine.place.storage(), storage.sealedTo != nil else {
            return
        }
        guard canAskAtTerminal() else {
            printWarning("only this machine's sealed key opens the keychain '\(name)'")
            return printHint("lanyard recovery-key create --keychain \(name)")
        }
        try MachineKeychains().makeRecoveryKeys()
        try machine.report()
    }

    private func checkOptions(_ kind: KeychainKind) throws(KeychainError) {
        for path in [("--file", file), ("--plugin", plugin)] where path.1?.hasPrefix("/") == false {
            throw KeychainError(
                .param, "\(path.0) needs an absolute path",
                hint: path.1.flatMap { try? absolutePath($0) }.map {
                    "\(path.0) \($0.shellQuoted)"
                })
        }
        if kind == .sealed, collection != nil || plugin != nil {
            throw KeychainError(
                .param, "--collection and --plugin are not for a sealed keychain",
                hint: "lanyard keychain create \(name) --kind secret-service")
        }
        if kind != .sealed, file != nil {
            throw KeychainError(.param, "--file is only for sealed keychains")
        }
        if collection?.isEmpty == true {
            throw KeychainError(.param, "--collection needs the name of a collection")
        }
        if collection != nil, kind != .secretService {
            throw KeychainError(.param, "--collection is for the kind 'secret-service'")
        }
    }

    /// Tests the keychain; one that is unreachable here may belong to another session.
    private func tryOut(
        _ kind: KeychainKind, _ configuration: Configuration
    ) throws(KeychainError) {
        do throws(KeychainError) {
            _ = try configuration.pluginStatus(ofKeychain: name)
        } catch
            where error.status == .notAvailable && kind == .secretService
            && findPlugin(kind: kind.name) != nil
        {
            printWarning("the keychain '\(name)' can't be used here now: \(error.reason)")
        }
    }
}
