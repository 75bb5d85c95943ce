internal import ArgumentParser
internal import KeychainServices

/// `lanyard remove`: deletes items.
struct RemoveCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove", abstract: "Remove an item.",
            discussion: "If several items match, only --all removes them.",
            aliases: ["rm"]
        ).examples(
            "lanyard remove backup",
            "lanyard remove --group git https://example.com ada"
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Flag(help: "Remove every item that matches.")
    var all = false
    @OptionGroup var narrowing: ItemNarrowing
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let opened = try keychain.open()
        let choice = try ItemChoice(named, narrowing, in: opened)
        // Checked first: without a match, nothing is written.
        _ = try choice.all()
        try opened.keychain.transaction { () throws(KeychainError) in
            let meant =
                all ? try choice.all() : [try choice.one(other: ", or remove all with --all")]
            for match in meant {
                try opened.keychain.delete(Query(match.reference))
            }
        }
    }
}
