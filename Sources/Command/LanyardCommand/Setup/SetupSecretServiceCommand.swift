internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardTransfer
internal import KeychainServices
internal import LanyardPrompting
internal import ToolSetup

/// `lanyard setup secret-service`.
struct SetupSecretServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret-service",
        abstract: "Set Lanyard up as the Secret Service of your sessions.",
        discussion:
            "Programs that store tokens there then use the keychain. Another Secret Service that has"
            + " items is not displaced."
    ).examples(
        "lanyard setup secret-service --dry-run",
        "lanyard setup secret-service",
        "lanyard setup secret-service --undo")

    @OptionGroup var options: SetupOptions
    @Flag(
        name: .customLong("copy-items"),
        help: "Copy the items of another Secret Service into the keychain first.")
    var copiesItems = false
    @Flag(
        name: .customLong("leave-items"),
        help: "Displace another Secret Service that has items: they stay there.")
    var leavesItems = false
    @OptionGroup var json: JSONFlag

    func validate() throws {
        if options.isUndo, copiesItems || leavesItems {
            throw ValidationError("--undo displaces no other Secret Service")
        }
    }

    func run() throws {
        guard !options.isUndo else {
            return try options.undo(.secretService, asJSON: json.isOn)
        }
        let environment = try SetupEnvironment()
        var setup = ToolSetup(.secretService, environment)
        setup.leavesItemsOfOthers = leavesItems
        var options = options
        if !leavesItems, !options.isDryRun,
            let items = try ItemsOfOtherService.find(environment), try isToCopy(items)
        {
            try copy(items)
            setup.leavesItemsOfOthers = true
            // The user has agreed.
            options.isAgreed = true
        }
        try options.apply(setup, asJSON: json.isOn)
    }

    private func isToCopy(_ items: ItemsOfOtherService) throws(KeychainError) -> Bool {
        guard !copiesItems else {
            return true
        }
        // Without a terminal the setup itself refuses.
        guard !options.isAgreed, !json.isOn, canAskAtTerminal() else {
            return false
        }
        return try askYesOrNo(
            "\(items.program) has \(items.text); copy them into the keychain first?",
            hint: "lanyard setup secret-service --copy-items", isYesByDefault: false)
    }

    /// Copies the items. None is deleted.
    ///
    /// - Throws: The error of the first one that can't be copied.
    private func copy(_ items: ItemsOfOtherService) throws(KeychainError) {
        do throws(KeychainError) {
            let source = try secretServiceItems(mayAsk: true)
            var settings = ImportSettings()
            settings.keychain = try Configuration().sealedKeychain(flag: nil)
            let result = try importItems(from: source, settings)
            if !json.isOn {
                try result.show(asJSON: false)
            }
            try result.checkIsComplete()
            if let count = items.count, source.count < count {
                throw KeychainError(
                    .param,
                    "\(count - source.count) of \(items.text) are in other collections than the default one"
                )
            }
        } catch {
            throw KeychainError(
                error.status, "not everything was copied, so nothing was set up: \(error.reason)",
                hint: "lanyard setup secret-service --leave-items leaves the rest there")
        }
    }
}
