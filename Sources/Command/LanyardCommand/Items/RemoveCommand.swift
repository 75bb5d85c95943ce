internal import ArgumentParser
internal import Glibc
internal import KeychainServices
internal import LanyardPrompting

/// `lanyard remove`: deletes items.
struct RemoveCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove", abstract: "Remove an item.",
            discussion:
                "If several items match, only --all removes them. At a terminal, Lanyard asks first.",
            aliases: ["rm"]
        ).examples(
            "lanyard remove backup",
            "lanyard remove --group git https://example.com ada"
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Flag(help: "Remove every item that matches.")
    var all = false
    @Flag(help: "Remove it without asking.")
    var yes = false
    @OptionGroup var narrowing: ItemNarrowing
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let opened = try keychain.open()
        let choice = try ItemChoice(named, narrowing, in: opened)
        // Chosen first: without a match nothing is written, and other programs don't wait for the answer.
        let meant = all ? try choice.all() : [try choice.one(other: ", or remove all with --all")]
        let what = RemoveCommand.text(meant)
        try askToRemove(what, yes: yes)
        try opened.keychain.transaction { () throws(KeychainError) in
            for match in meant {
                try opened.keychain.delete(Query(match.reference))
            }
        }
        noteRemoved(what)
    }

    /// How many items are named.
    private static let namedLimit = 5

    private static func text(_ matches: [ItemChoice.Match]) -> String {
        let names = matches.prefix(namedLimit).map { match in
            let account = (match.attributes.account ?? "").description
            return "'\(match.attributes.name)'" + (account.isEmpty ? "" : " of '\(account)'")
        }
        guard matches.count > 1 else {
            return names.joined()
        }
        let rest = matches.count > names.count ? ["…"] : []
        return "\(matches.count) items (\((names + rest).joined(separator: ", ")))"
    }
}

/// Asks at a terminal before something is removed. A script with its own input has no one to ask, even if it was started
/// at a terminal.
///
/// - Throws: ``Status/userCanceled`` without consent.
func askToRemove(_ what: String, yes: Bool) throws(KeychainError) {
    if !yes, isatty(0) == 1, canAskAtTerminal() {
        try askForConsent("remove \(what)?", hint: "add --yes")
    }
}

/// Says at a terminal what was removed; scripts get the status.
func noteRemoved(_ what: String) {
    if isatty(2) == 1 {
        printNote("removed \(what)")
    }
}
