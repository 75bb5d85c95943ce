internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices

/// `lanyard run`: runs a program with the secrets of its profile.
struct RunCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run", abstract: "Run a program with the secrets that it needs.",
            discussion:
                "Lanyard knows the variables and files in which some 130 programs take their secrets: "
                + "see lanyard profile list. The program gets the secret of the context, profile or host that it "
                + "is asked for. Put options of lanyard before the program."
        ).examples(
            "lanyard run stripe customers list",
            "lanyard run --account live stripe customers list",
            "lanyard run psql --host db.example.com"
        ).whenAlone
    }

    @Option(help: ArgumentHelp("Use the item of this account.", valueName: "account"))
    var account: String?
    @OptionGroup var keychain: KeychainOption
    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The program, and its arguments.", valueName: "program"),
        completion: .profilePrograms)
    var command: [String] = []

    private var words: [String] {
        command.first == "--" ? Array(command.dropFirst()) : command
    }

    func validate() throws {
        guard words.first?.hasPrefix("-") ?? true else {
            return
        }
        // The parser takes everything that it does not know for the program's.
        switch words.first {
        case "-h", "--help": throw CleanExit.helpRequest(self)
        case "--version": throw CleanExit.message(LanyardCommand.configuration.version)
        case let option?: throw ValidationError("unknown option '\(option)'")
        case nil: throw ValidationError("missing program")
        }
    }

    func run() throws {
        let profile = try ProfileCatalog(Configuration()).profile(ofProgram: words[0])
        let run = try ExecutedProgram(
            words, bypassesShims: true, hint: "lanyard run PROGRAM [arguments]")
        let secrets = GrantedSecrets()
        let opened = try keychain.open()
        try secrets.add(
            ProfileGrant(profile, account: account),
            SecretLookup(in: opened.keychain, opened.store, group: nil) { [words] match in
                guard match.group == nil, match.synchronizable == nil else {
                    return nil
                }
                let account = match.account.map { SecretLookup.option("--account", $0) } ?? ""
                return "lanyard run \(match.options)\(account)\(words[0].shellWord)"
            }, for: words)
        try run.start(with: secrets)
    }
}
