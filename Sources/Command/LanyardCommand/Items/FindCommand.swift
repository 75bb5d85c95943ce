internal import ArgumentParser
internal import KeychainServices

/// `lanyard find`: lists the items with a text in a name.
struct FindCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "find", abstract: "List the items whose attributes contain a text.",
            discussion:
                "It searches name, account, label, description and comment, ignoring case, but never "
                + "secrets."
        ).examples(
            "lanyard find example.com",
            "lanyard find --json backup"
        ).whenAlone
    }

    @Argument(help: "The text.")
    var text: String
    @OptionGroup var filter: ItemFilter
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let listing = ItemListing(filter: filter, text: text, isJSON: json.isOn, keychain: keychain)
        guard try listing.run() > 0 else {
            throw KeychainError(
                .itemNotFound,
                "no item has '\(text)' in its name, account, label, description or comment",
                hint: (try? keychain.open()).flatMap(filter.group.hint)
                    ?? "see lanyard list, lanyard key list or lanyard certificate list")
        }
    }
}
