internal import ArgumentParser
internal import Prompting
internal import KeychainServices
internal import LinuxSystem

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
    @Flag(
        name: .customLong("secret-service"),
        help: "Give the program a message bus with a Secret Service of its own.")
    var hasSecretService = false
    @OptionGroup var group: GroupOption
    @OptionGroup var keychain: KeychainOption
    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program, and its arguments.", valueName: "command"))
    var command: [String] = []

    func run() throws {
        let grants = try SecretGrants(
            [
                ("--env", .variable, variables), ("--file", .file, files),
                ("--netrc", .netrc, netrcs), ("--identity", .identity, identities),
                ("--certificate", .certificate, certificates),
                ("--private-key", .privateKey, privateKeys),
            ], accounts: accounts)
        guard let name = command.first else {
            throw KeychainError(
                .param, "missing program", hint: "put it and its arguments after --")
        }
        let path = try path(of: name)
        let secrets = try GrantedSecrets(
            grants, in: try keychain.keychain(), group: group.name.map { ByteString($0) })
        var program = ProgramReplacement(path, [name] + command.dropFirst().map(secrets.withPaths))
        // A descriptor's number: it is closed by now, or one of our files has it.
        if let file = program.inheritedValue("LANYARD_PASSPHRASE_FILE"),
            file.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        {
            program.removeVariable("LANYARD_PASSPHRASE_FILE")
        }
        secrets.hand(to: &program)
        if hasSecretService {
            guard let address = try PrivateSecretService.start() else {
                throw KeychainError(
                    .notAvailable, "the program is not run: the Secret Service does not start")
            }
            program.setVariable("DBUS_SESSION_BUS_ADDRESS", Secret(address))
        }
        do throws(SystemCallError) {
            try program.execute()
        } catch {
            throw ExecCommand.notRun(name, error.words)
        }
    }

    /// - Throws: The statuses of a shell and env(1): 127 for a missing program, 126 for one that can't be
    ///   run.
    private func path(of name: String) throws(KeychainError) -> String {
        if let path = try programPath(name) {
            return path
        }
        guard name.contains("/"), try PrivatePlace.exists(name) else {
            throw KeychainError(Status(rawValue: 127), "program '\(name)' not found")
        }
        throw ExecCommand.notRun(name, "it is not an executable file")
    }

    private static func notRun(_ name: String, _ reason: String) -> KeychainError {
        KeychainError(Status(rawValue: 126), "the program '\(name)' can't be run: \(reason)")
    }
}
