internal import ArgumentParser
internal import HelperKit
internal import Keychain

/// `lanyard set`: stores a secret.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Store a secret.",
        discussion: "The secret is asked for at the terminal, or read from standard input.")

    @Argument(help: ArgumentHelp("A URL, or the name of a service.", valueName: "what"))
    var what: String
    @Argument(help: "The account.")
    var account: String?
    @Flag(help: "Read the secret from standard input: all of it, less one newline at the end.")
    var stdin = false
    @Flag(name: .customLong("no-replace"), help: "Fail if there is such an item already.")
    var noReplace = false
    @Option(help: "The group to store the item in.")
    var group = "login"
    @OptionGroup var attributes: AttributeOptions
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let name = try ItemName(what, account: account)
        guard !name.hasLineBreakOrNUL else {
            throw KeychainError(.param, "the URL or the account has a line break or a NUL in it")
        }
        let attributes = try attributes.merged(
            into: name.attributes, of: name.itemClass, group: ByteString(group))
        guard !group.isEmpty else {
            throw KeychainError(.param, "the group has no name")
        }
        let keychain = try keychain.keychain(accessGroup: group)
        // First, so that nobody types a secret for nothing.
        let exists = try isThere(Query(identityOf: attributes, name.itemClass), keychain)
        guard !noReplace || !exists else {
            throw KeychainError(
                .duplicateItem, "there is an item '\(what)' already",
                hint: "leave --no-replace out to give it another secret")
        }
        let prompt = "secret for \(what): "
        let secret =
            stdin
            ? try readStandardInput(limit: Keychain.secretLimit)
            : try askForSecret(prompt: prompt, hint: "give it with --stdin")
        try Group.check(secret, for: ByteString(group))
        if noReplace {
            try keychain.add(name.itemClass, attributes, secret: secret)
        } else {
            try replace(name.itemClass, attributes, secret, keychain)
        }
    }

    private func isThere(_ query: Query, _ keychain: Keychain) throws(KeychainError) -> Bool {
        try present(query, keychain) != nil
    }

    /// The attributes of the item that is there, nil if there is none.
    private func present(
        _ query: Query, _ keychain: Keychain
    ) throws(KeychainError) -> ItemAttributes? {
        var query = query
        query.returns = .attributes
        var present: ItemAttributes?
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            present = item.attributes
            return .stop
        }
        return present
    }

    private func replace(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: borrowing Secret,
        _ keychain: Keychain
    ) throws(KeychainError) {
        let query = Query(identityOf: attributes, itemClass)
        let secret = secret.copy()
        var raised: Accessibility?
        try keychain.transaction { () throws(KeychainError) in
            var changes = attributes
            if changes.accessible == nil, let present = try present(query, keychain) {
                changes.accessible = keychain.changesForNewSecret(of: present).accessible
                raised = changes.accessible == nil ? nil : present.accessible
            }
            do throws(KeychainError) {
                try keychain.update(query, changes, secret: secret.copy())
            } catch {
                guard error.status == .itemNotFound else {
                    throw error
                }
                try keychain.add(itemClass, attributes, secret: secret)
            }
        }
        if let raised {
            printWarning(
                "the item had the accessibility '\(raised.code)' and now has that of new items; "
                    + "--accessible \(raised.code) keeps it")
        }
    }
}

extension ItemName {
    /// Whether it is a URL that git refuses, and for which it could not be told a login
    /// (CVE-2024-52006).
    fileprivate var hasLineBreakOrNUL: Bool {
        itemClass == .internetPassword
            && [attributes.server, attributes.path, attributes.account].contains { part in
                part?.bytes.contains { [0x00, 0x0A, 0x0D].contains($0) } ?? false
            }
    }
}
