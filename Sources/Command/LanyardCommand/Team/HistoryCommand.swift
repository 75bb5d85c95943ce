internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
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
            for version in versions {
                table.append([
                    "\(version.number)", "\(version.date.age(at: currentTime())) ago",
                    version.device?.path ?? "",
                    version.item == nil ? "deleted" : version.isConflict ? "lost" : "",
                ])
            }
            return try writeAnswer(Secret(table.text(for: .current)))
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeObjects(of: versions) { writer, version throws(KeychainError) in
                    try writer.member("version", Int(version.number))
                    try writer.member("changed", ByteString(version.date.text))
                    try writer.member("person", ByteString(version.device?.person ?? ""))
                    try writer.member("device", ByteString(version.device?.name ?? ""))
                    try writer.member("deleted", version.item == nil)
                    try writer.member("lost", version.isConflict)
                }
            })
    }
}

/// `lanyard restore-version`: makes an older version the present one.
struct RestoreVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-version",
        abstract: "Store an older version of an item of a shared keychain again.",
        usage: """
            lanyard restore-version <what> [<account>] <version> [--by <device>] [--keychain <name>]
            """,
        discussion: "The present one stays in the history."
    ).examples(
        "lanyard restore-version db 2 --keychain work",
        "lanyard restore-version db ada 2 --keychain work",
        "lanyard restore-version db 3 --by grace/box --keychain work")

    @Argument(help: .item, completion: .stored(.items))
    var what: String
    @Argument(
        help: ArgumentHelp(
            "The account, if several items have the name.", valueName: "account"),
        completion: .stored(.accountsOfItem))
    var accountOrVersion: String?
    @Argument(
        help: ArgumentHelp("The version's number, from lanyard history.", valueName: "version"))
    var versionAfterAccount: String?
    @Option(
        help: ArgumentHelp(
            "The device that made it, if two made a version of this number.", valueName: "device"))
    var by: String?
    @OptionGroup var keychain: TeamKeychain

    private var account: String? { versionAfterAccount == nil ? nil : accountOrVersion }

    private var version: UInt64 {
        (versionAfterAccount ?? accountOrVersion).flatMap { UInt64($0) } ?? 0
    }

    func validate() throws {
        guard let number = versionAfterAccount ?? accountOrVersion else {
            throw ValidationError("name the item, its account if needed, and the version")
        }
        guard UInt64(number) != nil else {
            throw ValidationError("'\(number)' is not a version's number")
        }
    }

    func run() throws {
        let shared = try keychain.shared()
        let hasServer = try exchange(shared)
        try shared.restore(try choice(of: shared.history(of: name(), what).versions, shared))
        if hasServer {
            _ = try exchange(shared)
        }
    }

    private func name() throws(KeychainError) -> ItemName {
        try ItemName(what, account: account)
    }

    /// Exchanges the items: a change that is not in the history yet would be lost.
    ///
    /// - Returns: Whether the server was there.
    private func exchange(_ shared: SharedKeychain) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            report(try shared.exchange(), isQuiet: true)
            return true
        } catch  where error.status == .notAvailable {
            printWarning("\(error.reason): the restored version waits for the next exchange")
            return false
        }
    }

    private func choice(
        of versions: [SharedKeychain.Version], _ shared: SharedKeychain
    ) throws(KeychainError) -> NewItem {
        var found = versions.filter { $0.number == version && $0.item != nil }
        if let by {
            let cards = DeviceCard.named(by, among: found.compactMap(\.device))
            found = found.filter { $0.device.map(cards.contains) ?? false }
        }
        guard let item = found.first?.item else {
            throw KeychainError(
                .itemNotFound,
                "'\(what)' has no version \(version) with a secret\(by.map { " of \($0)" } ?? "")",
                hint: "lanyard history \(what.shellQuoted)\(shared.option)")
        }
        guard found.count == 1 else {
            let devices = found.map { ($0.device?.path ?? "").shellQuoted }
            throw KeychainError(
                .param, "several devices made version \(version) of '\(what)'",
                hint: "add --by \(devices.joined(separator: ", or --by "))")
        }
        return item
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
        var found: [ItemHistory] = []
        for name in [name, name.ofNameAndAccount].compactMap(\.self) where found.isEmpty {
            var query = Query(name.itemClass, name.attributes)
            query.synchronizable = .any
            found = try history(of: query)
        }
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
