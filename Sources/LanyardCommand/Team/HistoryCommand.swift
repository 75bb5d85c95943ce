internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import Prompting
internal import StrictJSON
internal import SyncEngine

/// `lanyard history`: lists the versions of an item of a shared keychain.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the versions of an item of a shared keychain.",
        discussion:
            "As of the last exchange: the present one, older ones, and those that lost because two "
            + "devices changed the item at once."
    ).examples("lanyard history db --keychain work")

    @OptionGroup var named: NamedItem
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let versions = try keychain.known().history(of: named).versions
        guard json.isOn else {
            var table = Table(["VERSION", "CHANGED", "BY", ""])
            for (index, version) in versions.enumerated() {
                table.append([
                    "\(index + 1)", "\(version.date.age(at: currentTime())) ago",
                    version.device.map { "\($0.person)/\($0.name)" } ?? "",
                    version.item == nil ? "deleted" : version.isConflict ? "lost" : "",
                ])
            }
            return try writeAnswer(Secret(table.text(for: .current)))
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for (index, version) in versions.enumerated() {
                        try writer.writeObject { writer throws(KeychainError) in
                            try writer.member("version", index + 1)
                            try writer.member("changed", ByteString(version.date.text))
                            try writer.member("person", ByteString(version.device?.person ?? ""))
                            try writer.member("device", ByteString(version.device?.name ?? ""))
                            try writer.member("deleted") { writer throws(KeychainError) in
                                try writer.write(version.item == nil)
                            }
                            try writer.member("lost") { writer throws(KeychainError) in
                                try writer.write(version.isConflict)
                            }
                        }
                    }
                }
            })
    }
}

/// `lanyard restore-version`: makes an older version the present one.
struct RestoreVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-version",
        abstract: "Store an older version of an item of a shared keychain again.",
        discussion: "The present one stays in the history."
    ).examples("lanyard restore-version db 2 --keychain work")

    @Argument(help: .item, completion: .stored(.items))
    var what: String
    @Argument(help: "The version's number, from lanyard history.")
    var version: Int
    @Option(help: .account, completion: .stored(.accounts))
    var account: String?
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.shared()
        let versions = try shared.history(of: ItemName(what, account: account), what).versions
        guard versions.indices.contains(version - 1), let item = versions[version - 1].item else {
            throw KeychainError(
                .itemNotFound, "'\(what)' has no version \(version) with a secret",
                hint: "lanyard history")
        }
        try shared.restore(item)
        report(try shared.exchange(), isQuiet: true)
    }
}

extension SharedKeychain {
    /// Returns the history of the one item that a user names.
    func history(of named: NamedItem) throws(KeychainError) -> ItemHistory {
        try history(of: try named.name(), named.what)
    }

    /// Returns the history of the one item of a name.
    ///
    /// - Throws: ``Status/itemNotFound`` if there is none, ``Status/param`` if there are several.
    func history(of name: ItemName, _ what: String) throws(KeychainError) -> ItemHistory {
        var query = Query(name.itemClass, name.attributes)
        query.synchronizable = .any
        let found = try history(of: query)
        guard found.count < 2 else {
            throw KeychainError(
                .param, "several items match '\(what)'", hint: "name the account, too")
        }
        guard let history = found.first else {
            throw KeychainError(.itemNotFound, "the team has no item '\(what)'")
        }
        return history
    }
}
