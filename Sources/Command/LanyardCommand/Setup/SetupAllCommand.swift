internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import LanyardPrompting
internal import KeychainServices
internal import SealedStore
internal import ToolCatalog
internal import ToolSetup

/// `lanyard setup`, which is `lanyard setup all`: sets up all installed tools.
struct SetupAllCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all", abstract: "Set up all of these tools that are installed, or programs.",
        discussion:
            "Shows what will change in which file, asks once, makes the changes and tests them. With names of "
            + "programs, it makes scripts in ~/.local/bin that start them with lanyard run."
    ).examples(
        "lanyard setup all --dry-run",
        "lanyard setup all --yes",
        "lanyard setup all stripe",
        "lanyard setup all --account test stripe")

    @Argument(
        help: ArgumentHelp(
            "A program with a profile, or a profile: see lanyard profile list.",
            valueName: "profile"),
        completion: .profilePrograms)
    var profiles: [String] = []

    @Option(
        help: ArgumentHelp(
            "Give the program the secret of this account, with one program.", valueName: "account"))
    var account: String?
    @OptionGroup var options: SetupOptions
    @OptionGroup var json: JSONFlag

    func validate() throws {
        let tools = SetupCommand.configuration.subcommands
        let misplaced = profiles.first { name in
            tools.contains { $0.isNamed(name) } && !ToolProfile.all.contains { $0.name == name }
        }
        if let name = misplaced {
            let command = "lanyard setup \(name)" + (options.isUndo ? " --undo" : "")
            throw ValidationError(
                profiles.count > 1
                    ? "'\(name)' has a setup of its own: \(command)"
                    : "'\(name)' comes before the options: \(command)")
        }
        if account != nil, profiles.count != 1 || options.isUndo {
            throw ValidationError("--account is for the setup of one program")
        }
        if !profiles.isEmpty, json.isOn {
            throw ValidationError("--json is not for a single program")
        }
    }

    func run() throws {
        let environment = try SetupEnvironment()
        guard profiles.isEmpty else {
            let setup = try SetupProfiles(profiles, account: account, environment)
            return options.isUndo
                ? try setup.undo(isDryRun: options.isDryRun)
                : try setup.run(options)
        }
        if options.isUndo {
            try SetupUndo(Tool.allCases + ToolSetup.programs(environment), environment).run(
                isDryRun: options.isDryRun, asJSON: json.isOn,
                nothing: "there is no setup to undo")
            return
        }
        var setup = try SetupRun(environment)
        if json.isOn {
            try runForProgram(&setup)
        } else {
            try runForPerson(&setup, environment)
        }
    }

    /// Runs without questions and prints its results at the end.
    private func runForProgram(_ setup: inout SetupRun) throws(KeychainError) {
        let isApplied = options.isAgreed && !options.isDryRun
        if isApplied {
            setup.apply()
            setup.tryOut()
        }
        try writeAnswer(setup.json())
        if isApplied, let failure = setup.failure {
            throw failure
        }
    }

    /// Asks once for the passphrase of a locked keychain: the tools' helpers can't ask in a trial.
    private func unlockForTrials() {
        do throws(KeychainError) {
            let configuration = try Configuration()
            let name = try configuration.defaultKeychain()
            if let store = try configuration.openSealedKeychain(name),
                try store.lockState() == .locked
            {
                try store.unlock(timeout: try configuration.autolock(ofKeychain: name).limit)
            }
        } catch {
            printWarning(error.reason)
        }
    }

    private func runForPerson(
        _ setup: inout SetupRun, _ environment: SetupEnvironment
    ) throws(KeychainError) {
        var plan = setup.plan
        guard !options.isDryRun else {
            setup.addPlainText(to: &plan)
            plan.addDryRun()
            return try plan.show()
        }
        try plan.show()
        if !setup.isNothingToChange, !options.isAgreed {
            let isYes = try askYesOrNo(
                "make these changes?",
                hint: "lanyard setup --yes sets them up without asking")
            guard isYes else {
                throw KeychainError(.userCanceled, "nothing was changed")
            }
        }
        if !options.isAgreed {
            sealNewMachineKey()
        }
        setup.apply()
        if canAskAtTerminal() {
            unlockForTrials()
        }
        setup.tryOut()
        try setup.result.show()
        let leftBehind = try PlainTextOffer(
            files: setup.plainText, isAgreed: options.isAgreed
        ).make()
        try setup.unmoved.show()
        // Also after a failure: a new sealed key needs its recovery key.
        try offerSealing(isAgreed: options.isAgreed)
        if let failure = setup.failure {
            if let leftBehind {
                printWarning(leftBehind.reason)
            }
            throw failure
        }
        try nextSteps().show()
        if let leftBehind {
            throw leftBehind
        }
    }
}
