internal import ArgumentParser

/// `lanyard list`: prints the items, and never a secret.
struct ListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the items, without their secrets.",
            discussion:
                "At a terminal they are sorted by group and name. Elsewhere server logins come first, then other "
                + "secrets, each with the latest changes on top.",
            aliases: ["ls"]
        ).examples(
            "lanyard list",
            "lanyard list --server example.com",
            "lanyard list --sort changed",
            "lanyard list --expired"
        ).whenAlone
    }

    @OptionGroup var filter: ItemFilter
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        _ = try ItemListing(filter: filter, text: nil, isJSON: json.isOn, keychain: keychain).run()
    }
}
