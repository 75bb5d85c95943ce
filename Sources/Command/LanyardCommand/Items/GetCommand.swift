internal import Keychains
internal import ArgumentParser
internal import Glibc
internal import LanyardPrompting
internal import KeychainServices
internal import StrictJSON
internal import ToolHelpers

/// `lanyard get`: prints a secret.
struct GetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "get", abstract: "Print a secret.",
            discussion:
                "If several items match, lanyard lists them, unless one is the default (see lanyard edit "
                + "--default) or LANYARD_ACCOUNT names its account.",
            aliases: ["show"]
        ).examples(
            "lanyard get backup",
            "lanyard get --group git https://example.com ada",
            "lanyard get --json https://example.com",
            "lanyard get -c backup",
            "lanyard get --timeout 2s codex"
        ).whenAlone
    }

    // Without option groups: they take the parser longer than the rest of a get.
    @Argument(help: .item, completion: .stored(.items))
    var what: String
    @Argument(help: .account, completion: .stored(.accountsOfItem))
    var account: String?
    @Option(help: .group, completion: .stored(.groups))
    var group: String?
    @Option(name: .customLong("for"), help: .toolOfItems)
    var tool: ToolFormat?
    @Flag(inversion: .prefixedNo, help: .synchronizable)
    var synchronizable: Bool?
    @Flag(help: .json)
    var json = false
    @Flag(
        name: [.customShort("c"), .customLong("clipboard")],
        help: "Copy it to the clipboard, and clear that after 45 seconds.")
    var isForClipboard = false
    @Option(
        help: ArgumentHelp(
            "Ask nothing, and wait at most so long for each keychain, for example 2s.",
            valueName: "time"))
    var timeout: String?
    @Option(help: .keychain, completion: .stored(.keychains))
    var keychain: String?

    func validate() throws {
        try AnswerTimeOption.validate(timeout)
        if json, isForClipboard {
            throw ValidationError("--json prints, and --clipboard does not")
        }
        try GroupOption.validate(group, tool)
    }

    func run() throws {
        let exact = ItemSearch(
            name: try ItemName(what, account: account),
            group: tool?.accessGroup ?? group.map { ByteString($0) },
            synchronizable: synchronizable, isForReading: true)
        let limit = try timeout.map { text throws(KeychainError) in
            try AnswerTimeOption.seconds(of: text)
        }
        // Before the user unlocks anything in vain.
        let clipboard = try isForClipboard ? Clipboard.current() : nil
        let opened = try OpenKeychains(
            keychain, mayAsk: limit == nil, within: limit.map { Int64($0) * 1000 })
        var item = try one(exact, opened)
        for other in exact.further where item == nil {
            item = try one(other, opened)
        }
        guard let item = item.take() else {
            throw exact.nothing(what, in: opened.keychain, opened.store)
        }
        if let clipboard {
            return try copy(item, to: clipboard)
        }
        let keychain = item.reference.flatMap(opened.store.keychainName)
        try writeAnswer(answer(item, keychain: keychain ?? ""))
    }

    private func one(
        _ search: ItemSearch, _ opened: OpenKeychains
    ) throws(KeychainError) -> MatchedItem? {
        try search.one(
            what, in: opened.keychain, opened.store, returns: [.data, .reference]
        ) { "lanyard get \($0.arguments)" }
    }

    private func copy(
        _ item: consuming MatchedItem, to clipboard: Clipboard
    ) throws(KeychainError) {
        guard let password = ToolHelpers.password(of: item) else {
            throw KeychainError(.itemNotFound)
        }
        try clipboard.copy(password)
        if isatty(2) == 1 {
            printNote(
                clipboard == .terminal
                    ? "sent to the terminal's clipboard; not every terminal takes it, and Lanyard can't clear it"
                    : "copied; the clipboard is cleared in \(Clipboard.seconds) seconds")
        }
    }

    /// Releases the item: the answer is then the only copy of the secret.
    private func answer(
        _ item: consuming MatchedItem, keychain: String
    ) throws(KeychainError) -> Secret {
        let attributes = item.attributes ?? ItemAttributes()
        guard let password = ToolHelpers.password(of: item) else {
            throw KeychainError(.itemNotFound)
        }
        guard json else {
            var line = SecretBuilder(capacity: password.count + 1)
            line.append(password)
            line.append(UInt8(ascii: "\n"))
            return line.finish()
        }
        let itemClass = item.itemClass
        return try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try writer.members(of: attributes, itemClass)
            try writer.member("keychain", ByteString(keychain))
            try writer.member(secret: password)
        }
    }
}
