internal import ArgumentParser
internal import KeychainServices
internal import OneTimeCodes

/// `lanyard edit`: changes an item's attributes.
struct EditCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "edit", abstract: "Change an item's attributes, but not its secret.",
            discussion: "An empty text clears an attribute. lanyard rename changes the name."
        ).examples(
            "lanyard edit backup --comment 'the disk in the cellar'",
            "lanyard edit https://example.com ada --label Example",
            "lanyard edit stripe live --default"
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Option(help: "The name that other programs show.")
    var label: String?
    @Option(help: "A comment.")
    var comment: String?
    @Option(help: "The kind of item, in words.")
    var description: String?
    @Option(help: ArgumentHelp("The program that made it: four characters.", valueName: "code"))
    var creator: String?
    @Option(help: ArgumentHelp("The creator's own type: four characters.", valueName: "code"))
    var type: String?
    @Option(help: ArgumentHelp("When the secret can be read, for example ak.", valueName: "code"))
    var accessible: String?
    @Flag(
        inversion: .prefixedNo,
        help: "Ask for the keychain's passphrase at each use, even while it is unlocked.")
    var ask: Bool?
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Add a program to those that read the secret without asking. You can repeat it.",
            valueName: "program"))
    var trusted: [String] = []
    @Flag(
        name: .customLong("trust-all"),
        help: "Let every program read the secret without asking.")
    var trustsAll = false
    @Flag(inversion: .prefixedNo, help: "Leave the item out of lists.")
    var invisible: Bool?
    @Flag(inversion: .prefixedNo, help: "Mark it as having no password.")
    var negative: Bool?
    @Flag(
        name: .customLong("default"), inversion: .prefixedNo,
        help: "Mean this item if several match a name. It is kept as the type 'dflt'.")
    var isDefault: Bool?
    @OptionGroup var narrowing: ItemNarrowing
    @OptionGroup var keychain: KeychainOption

    func validate() throws {
        if trustsAll, !trusted.isEmpty {
            throw ValidationError("--trust-all leaves no list to add to: leave --trust out")
        }
        if isDefault != nil, type != nil {
            throw ValidationError("--default is the type 'dflt': leave --type out")
        }
    }

    func run() throws {
        let changes = try changes()
        guard changes != ItemAttributes() || ask != nil || !trusted.isEmpty || isDefault != nil
        else {
            throw KeychainError(
                .param, "nothing to change", hint: "lanyard edit --help lists the options")
        }
        let applications = try AttributeOptions.trustedApplications(trusted)
        let opened = try keychain.open()
        let choice = try ItemChoice(named, narrowing, in: opened)
        _ = try choice.all()
        try opened.keychain.transaction { () throws(KeychainError) in
            let item = try choice.one()
            var changes = changes
            if let ask {
                changes.accessControl = AccessControl(
                    accessible: changes.accessible ?? item.attributes.accessible ?? .whenUnlocked,
                    flags: ask ? .userPresence : [])
            }
            if !applications.isEmpty {
                let present = item.attributes.trustedApplications ?? []
                changes.trustedApplications =
                    present + applications.filter { !present.contains($0) }
            }
            if isDefault == true {
                for other in try otherDefaults(than: item, in: opened) {
                    try opened.keychain.update(Query(other), EditCommand.withoutDefault)
                }
                changes.type = ItemAttributes.defaultType
            } else if isDefault == false, item.attributes.isDefault {
                changes.type = EditCommand.withoutDefault.type
            }
            guard changes != ItemAttributes() else {
                return
            }
            try opened.keychain.update(Query(item.reference), changes)
        }
    }

    /// An absent attribute does not change: this code clears it.
    private static let withoutDefault = ItemAttributes {
        $0.type = FourCharacterCode(rawValue: 0)
    }

    /// Returns the defaults among the other items that the name means, whatever their account and group, in the same keychain.
    private func otherDefaults(
        than item: ItemChoice.Match, in opened: OpenKeychains
    ) throws(KeychainError) -> [ItemReference] {
        let keychain = opened.store.keychainName(of: item.reference)
        let name = try ItemName(item.attributes.name.description, account: nil)
        let search = ItemSearch(name: name.ofAnyAccount, group: nil)
        var others: [ItemReference] = []
        try search.forEach(in: opened.keychain, returns: .reference) { other, attributes in
            if let reference = other.reference, attributes.isDefault,
                reference.id != item.reference.id,
                attributes.name == item.attributes.name,
                // A key of codes has the name of its login.
                (attributes.accessGroup == .codeGroup)
                    == (item.attributes.accessGroup == .codeGroup),
                opened.store.keychainName(of: reference) == keychain
            {
                others.append(reference)
            }
            return .next
        }
        return others
    }

    private func changes() throws(KeychainError) -> ItemAttributes {
        var changes = ItemAttributes()
        changes.label = label.map { ByteString($0) }
        changes.comment = comment.map { ByteString($0) }
        changes.itemDescription = description.map { ByteString($0) }
        changes.creator = try AttributeOptions.code(creator, "--creator")
        changes.type = try AttributeOptions.code(type, "--type")
        changes.accessible = try AttributeOptions.accessibility(accessible)
        changes.trustedApplications = trustsAll ? [] : nil
        changes.isInvisible = invisible
        changes.isNegative = negative
        return changes
    }
}
