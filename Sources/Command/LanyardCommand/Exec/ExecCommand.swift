internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore
internal import ToolCatalog

/// `lanyard exec`: runs a program with secrets.
struct ExecCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "exec",
            abstract: "Run a program with secrets in its environment or in files.",
            discussion:
                "The files exist only in memory. In an argument of the program, {NAME} becomes the path "
                + "of the file NAME."
        ).examples(
            "lanyard exec --env PGPASSWORD=database -- psql",
            "lanyard exec --file RESTIC_PASSWORD_FILE=backup -- restic snapshots",
            "lanyard exec --netrc N=https://a.example -- curl --netrc-file {N} a.example",
            "lanyard exec --identity ID=ada -- curl --cert {ID} https://a.example",
            "lanyard exec --profile openrouter -- python3 chat.py",
            "lanyard exec --env-file .env -- npm start",
            "lanyard exec --secret-service -- gh auth login"
        ).whenAlone
    }

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp("Set a variable to the secret of an item.", valueName: "name=what"))
    var variables: [String] = []
    @Option(
        name: .customLong("file"),
        help: ArgumentHelp(
            "Set a variable to the path of a file with the secret of an item.",
            valueName: "name=what"))
    var files: [String] = []
    @Option(
        name: .customLong("netrc"),
        help: ArgumentHelp(
            "Set a variable to the path of a netrc file with the logins of a server; repeat it to add "
                + "servers.", valueName: "name=url"))
    var netrcs: [String] = []
    @Option(
        name: .customLong("identity"),
        help: ArgumentHelp(
            "Set a variable to the path of a PEM file with a certificate, its chain and its private key.",
            valueName: "name=certificate"))
    var identities: [String] = []
    @Option(
        name: .customLong("certificate"),
        help: ArgumentHelp(
            "Set a variable to the path of a PEM file with a certificate and its chain.",
            valueName: "name=certificate"))
    var certificates: [String] = []
    @Option(
        name: .customLong("private-key"),
        help: ArgumentHelp(
            "Set a variable to the path of a PEM file with the private key of a certificate.",
            valueName: "name=certificate"))
    var privateKeys: [String] = []
    @Option(
        name: .customLong("account"),
        help: ArgumentHelp(
            "Choose the account of the item for a variable.", valueName: "name=account"))
    var accounts: [String] = []
    @Option(
        name: .customLong("profile"),
        help: ArgumentHelp(
            "Pass the secrets of a profile, as lanyard run does.", valueName: "name[/account]"))
    var profiles: [String] = []
    @Option(
        name: .customLong("env-file"),
        help: ArgumentHelp(
            "Set the variables of a .env file, whose values may be references to secrets.",
            valueName: "path"), completion: .file())
    var environmentFiles: [String] = []
    @Option(
        name: .customLong("allow-env"),
        help: ArgumentHelp(
            "Let a .env file set this variable, such as LD_LIBRARY_PATH.", valueName: "name"))
    var allowed: [String] = []
    @Flag(
        name: .customLong("secret-service"),
        help: "Give the program a message bus with a Secret Service of its own.")
    var hasSecretService = false
    @Flag(
        name: .customLong("dry-run"),
        help: "List what would be set and where it comes from, and run nothing.")
    var isDryRun = false
    @OptionGroup var group: GroupOption
    @OptionGroup var keychain: KeychainOption
    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program, and its arguments.", valueName: "command"))
    var command: [String] = []

    /// Rejects an option that would change nothing: who gives it to narrow what the program gets believes that it does.
    func validate() throws {
        if environmentFiles.isEmpty, !allowed.isEmpty {
            throw ValidationError("--allow-env is only for --env-file")
        }
        let isLookingUp = [
            variables, files, netrcs, identities, certificates, privateKeys, profiles,
            environmentFiles,
        ].contains { !$0.isEmpty }
        guard !isLookingUp, !hasSecretService else {
            return
        }
        for (option, value) in [("--group", group.name), ("--keychain", keychain.name)]
        where value != nil {
            throw ValidationError("\(option) has no effect: no other option gives a secret")
        }
    }

    func run() throws {
        let grants = try SecretGrants(
            [
                ("--env", .variable, variables), ("--file", .file, files),
                ("--netrc", .netrc, netrcs), ("--identity", .identity, identities),
                ("--certificate", .certificate, certificates),
                ("--private-key", .privateKey, privateKeys),
            ], accounts: accounts)
        let environment = try EnvironmentFiles(
            environmentFiles, except: Set(grants.grants.map(\.name)))
        let catalog = profiles.isEmpty ? nil : try ProfileCatalog(Configuration())
        let profiles = try profiles.map { name throws(KeychainError) in
            try catalog.map { catalog throws(KeychainError) in try ProfileGrant(name, in: catalog) }
        }.compactMap(\.self)
        guard !isDryRun else {
            return try list(grants, environment, profiles)
        }
        let run = try ExecutedProgram(
            command, bypassesShims: !profiles.isEmpty, hint: "put it and its arguments after --")
        try environment.check(allowing: allowed)
        let narrowing = try hasSecretService ? serviceNarrowing() : nil
        let options = SecretLookup.options(group: group.name, keychain: keychain.name)
        let group = group.name.map { ByteString($0) }
        let opened = try keychain.open()
        let secrets = GrantedSecrets()
        let program = "-- \((command.first ?? "").shellWord)"
        let references =
            environmentFiles.map { "--env-file \($0.shellWord) " }.joined()
            + allowed.map { "--allow-env \($0.shellWord) " }.joined()
        try secrets.add(
            environment,
            .ofReferences(
                in: opened, group: group,
                command: "lanyard exec \(options)\(references)\(program)"))
        for profile in profiles {
            let lookup = SecretLookup(in: opened.keychain, opened.store, group: group) { match in
                match.synchronizable == nil
                    ? "lanyard exec \(match.options)--profile "
                        + "\([profile.profile.name, match.account].compactMap(\.self).joined(separator: "/").shellWord) "
                        + program : nil
            }
            try secrets.add(profile, lookup, for: command)
        }
        try secrets.add(grants, in: opened, group: group, for: program)
        guard let narrowing else {
            try run.start(with: secrets)
        }
        try hintIfLocked()
        guard let address = try PrivateSecretService.start(narrowing) else {
            throw KeychainError(
                .notAvailable, "the program is not run: the Secret Service does not start")
        }
        // Another name would mean a service of the session's bus.
        try run.start(
            with: secrets,
            [
                ("DBUS_SESSION_BUS_ADDRESS", address),
                ("SECRET_SERVICE_BUS_NAME", "org.freedesktop.secrets"),
            ])
    }

    /// Prints what would be set.
    private func list(
        _ grants: SecretGrants, _ environment: EnvironmentFiles, _ profiles: [ProfileGrant]
    ) throws(KeychainError) {
        var listing = GrantListing()
        listing.add(environment, allowing: allowed)
        profiles.forEach { listing.add($0) }
        listing.add(grants)
        if hasSecretService {
            listing.add("DBUS_SESSION_BUS_ADDRESS", from: "--secret-service")
        }
        try listing.write()
    }

    /// Returns the options that narrow what the Secret Service shows.
    ///
    /// - Throws: ``Status/param`` for a keychain that it can't show, ``Status/noSuchKeychain`` for a missing one.
    private func serviceNarrowing() throws(KeychainError) -> [String] {
        if let name = keychain.name {
            let configuration = try Configuration()
            guard try configuration.kind(ofKeychain: name) == .sealed else {
                throw KeychainError(
                    .param,
                    "--secret-service can't show the keychain '\(name)': it is no sealed file")
            }
            _ = try configuration.openExistingSealedKeychain(name)
        }
        return [keychain.name.map { "--keychain=\($0)" }, group.name.map { "--group=\($0)" }]
            .compactMap(\.self)
    }

    /// Says how to unlock the keychain before the program runs: the service does not ask in this terminal,
    /// which is the program's, and without windows not at all.
    private func hintIfLocked() throws(KeychainError) {
        let configuration = try Configuration()
        let name = try configuration.sealedKeychain(flag: keychain.name)
        let unlocker = KeychainUnlocker(name: name, configuration: configuration)
        guard !unlocker.hasGivenPassphrase, try !ConfirmationPrompt.isUsable,
            let store = try? configuration.openSealedKeychain(name),
            (try? store.lockState()) == .locked
        else {
            return
        }
        let way =
            SealedStore.keyringRefusal() == nil
            ? "lanyard unlock"
            : KeychainUnlocker.passphraseFileHint
        printHint("the program finds the keychain '\(name)' locked: \(way)")
    }
}
