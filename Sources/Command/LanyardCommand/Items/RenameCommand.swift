internal import ArgumentParser
internal import Glibc
internal import KeychainServices
internal import LanyardPrompting
internal import ToolHelpers

/// `lanyard rename`: gives an item another name or account.
struct RenameCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rename", abstract: "Give an item another name or account.",
            discussion: "Its secret and everything else stay the same."
        ).examples(
            "lanyard rename backup old-backup",
            "lanyard rename stripe/live stripe/prod",
            "lanyard rename stripe live --to stripe-live",
            "lanyard rename https://example.com ada --to-account bob"
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The new name: a URL for a URL, else a service.", valueName: "what"))
    var newName: String?
    @Option(
        name: .customLong("to-account"),
        help: ArgumentHelp("The new account.", valueName: "account"))
    var newAccount: String?
    @OptionGroup var narrowing: ItemNarrowing
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let opened = try keychain.open()
        let (named, newName) = try names(in: opened)
        let choice = try ItemChoice(named, narrowing, in: opened)
        _ = try choice.all()
        var renaming: (from: String, to: String)?
        try opened.keychain.transaction { () throws(KeychainError) in
            let match = try choice.one()
            let changes = try changes(of: match, to: newName, choice)
            try changes.checkLines(of: match.reference.itemClass)
            let renamed = match.attributes.merging(changes)
            let name = renamed.shownName ?? "an item"
            do throws(KeychainError) {
                try opened.keychain.update(Query(match.reference), changes)
            } catch  where error.status == .duplicateItem {
                throw KeychainError(
                    .duplicateItem, "the item \(name) already exists",
                    hint: "lanyard remove deletes it")
            }
            renaming = (match.attributes.shownName ?? "an item", name)
        }
        // At a terminal; scripts get the status.
        if let renaming, isatty(2) == 1 {
            printNote("renamed \(renaming.from) to \(renaming.to)")
        }
    }

    /// Returns the item and its new name, nil for the one that it has. Of two names without an option the second is the
    /// new one, unless it is an account of the first.
    private func names(
        in opened: OpenKeychains
    ) throws(KeychainError) -> (named: NamedItem, newName: String?) {
        guard newName == nil, newAccount == nil else {
            try checkIsAccount(in: opened)
            return (named, newName)
        }
        let hasAccount = try hasItem(named, in: opened)
        guard let new = named.account, !hasAccount else {
            let words = [named.what, named.account].compactMap(\.self)
            let name = words.map(\.shellWord).joined(separator: " ")
            let command =
                words.contains { $0.hasPrefix("-") }
                ? "lanyard rename --to NAME -- \(name)" : "lanyard rename \(name) --to NAME"
            throw KeychainError(
                .param, "missing new name", hint: "\(command), or --to-account ACCOUNT")
        }
        var named = named
        named.account = nil
        return (named, new)
    }

    private func hasItem(
        _ named: NamedItem, in opened: OpenKeychains
    ) throws(KeychainError) -> Bool {
        try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
            _ = try ItemChoice(named, narrowing, in: opened).all()
        }
    }

    /// Throws if `--to-account` comes after two names of which the second is perhaps the new one: the item has no account.
    private func checkIsAccount(in opened: OpenKeychains) throws(KeychainError) {
        guard newName == nil, let newAccount, let second = named.account,
            try !hasItem(named, in: opened)
        else {
            return
        }
        var first = named
        first.account = nil
        let matches: [ItemChoice.Match]
        do throws(KeychainError) {
            matches = try ItemChoice(first, narrowing, in: opened).all()
        } catch  where error.status == .itemNotFound {
            first.what = second
            guard error.hint == ItemSearch.listHint, try hasItem(first, in: opened) else {
                throw error
            }
            throw KeychainError(
                error.status, error.reason,
                hint: "to rename '\(second)': lanyard rename \(second.shellWord) "
                    + "--to-account \(newAccount.shellWord)")
        }
        if !matches.isEmpty, matches.allSatisfy({ ($0.attributes.account ?? "").isEmpty }) {
            throw KeychainError(
                .itemNotFound, "'\(named.what)' has no account '\(second)'",
                hint: "lanyard rename \(named.what.shellWord) --to \(second.shellWord) "
                    + "--to-account \(newAccount.shellWord)")
        }
    }

    private func changes(
        of match: ItemChoice.Match, to newName: String?, _ choice: ItemChoice
    ) throws(KeychainError) -> ItemAttributes {
        let present = match.attributes
        var changes = ItemAttributes()
        guard let newName else {
            changes.account = newAccount.map { ByteString($0) }
            return changes
        }
        try ItemName.checkVisible(newName)
        let given = try ItemName(newName, account: newAccount)
        // Two names of the same form are read alike.
        let name = (choice.isNameAndAccount ? given.ofNameAndAccount : nil) ?? given
        let tool =
            match.reference.itemClass == .internetPassword
            ? ToolFormat(group: present.accessGroup) : nil
        // In a URL, the account can be the user.
        let account = name.attributes.account ?? name.otherAttributes?.account ?? present.account
        let new: ItemAttributes
        if let tool {
            // To the tool a name would be a host, but who renames a URL means another one.
            guard name.itemClass == .internetPassword || present.protocol?.shownScheme == nil else {
                throw RenameCommand.otherForm(.internetPassword)
            }
            new = try tool.item(newName, account: account?.description).attributes
            changes.label = newLabel(present, tool, new)
        } else {
            new = try attributes(name, as: match.reference.itemClass, present)
        }
        changes.account = new.account ?? account
        guard match.reference.itemClass == .internetPassword else {
            changes.service = new.service
            return changes
        }
        // Absent attributes don't change: these values clear the parts that the name lacks.
        changes.server = new.server ?? ""
        changes.port = new.port ?? 0
        changes.path = new.path ?? ""
        changes.protocol = new.protocol ?? ProtocolType(rawValue: "")
        return changes
    }

    /// Returns the attributes of the new name for an item, which keeps its class.
    private func attributes(
        _ name: ItemName, as itemClass: ItemClass, _ present: ItemAttributes
    ) throws(KeychainError) -> ItemAttributes {
        if name.itemClass == itemClass {
            return name.attributes
        }
        // A server without a scheme stays without one.
        if itemClass == .internetPassword, present.protocol?.shownScheme == nil,
            let attributes = name.otherAttributes
        {
            return attributes
        }
        throw RenameCommand.otherForm(itemClass)
    }

    private static func otherForm(_ itemClass: ItemClass) -> KeychainError {
        KeychainError(
            .param,
            itemClass == .internetPassword
                ? "the new name must be a URL, too" : "the new name must not be a URL",
            hint: "lanyard set stores it under another kind of name")
    }

    /// Returns the label that a tool's helper gives the login, if the helper wrote the present one.
    private func newLabel(
        _ present: ItemAttributes, _ tool: ToolFormat, _ new: ItemAttributes
    ) -> ByteString? {
        let account = (present.account ?? "").description
        let old = try? tool.item(present.name.description, account: account).attributes
        return old?.label == present.label ? new.label : nil
    }
}
