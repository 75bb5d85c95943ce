internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import StrictJSON

/// `lanyard list`: prints what items there are, and never a secret.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the items, without their secrets.",
        discussion:
            "Logins of servers come first, then other secrets; of each, those changed last first.")

    @OptionGroup var group: GroupOption
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let keychain = try keychain.open()
        if json.isOn {
            try printJSON(keychain)
        } else {
            try printTable(keychain)
        }
    }

    private func forEach(
        in keychain: OpenKeychains,
        _ body: (ItemClass, ItemAttributes, _ keychain: String) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        for itemClass in [ItemClass.internetPassword, .genericPassword] {
            var attributes = ItemAttributes()
            attributes.accessGroup = group.name.map { ByteString($0) }
            var query = Query(itemClass, attributes, returns: [.attributes, .reference])
            query.synchronizable = .any
            query.match.limit = .all
            try keychain.keychain.forEachMatch(query) { item throws(KeychainError) in
                if let attributes = item.attributes, let reference = item.reference {
                    try body(
                        itemClass, attributes, keychain.store.keychainName(of: reference) ?? "")
                }
                return .next
            }
        }
    }

    private func printJSON(_ keychain: OpenKeychains) throws(KeychainError) {
        try JSONWriter.write(
            invalidText: .replace,
            to: { piece throws(KeychainError) in try writeAnswer(piece) }
        ) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                try forEach(in: keychain) {
                    itemClass, attributes, name throws(KeychainError) in
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.members(of: attributes, itemClass)
                        try writer.member("keychain", ByteString(name))
                    }
                }
            }
        }
    }

    private func printTable(_ keychain: OpenKeychains) throws(KeychainError) {
        var rows: [(item: [String], keychain: String)] = []
        try forEach(in: keychain) { _, attributes, name throws(KeychainError) in
            let item = [
                (attributes.accessGroup ?? "").description, attributes.name.description,
                (attributes.account ?? "").description,
                attributes.modificationDate?.text ?? "",
            ]
            rows.append((item, name))
        }
        // Where all are in one keychain, its name is of no use.
        let isOfSeveral = Set(rows.map(\.keychain)).count > 1
        let titles = ["GROUP", "WHAT", "ACCOUNT", "CHANGED"]
        var table = Table(isOfSeveral ? titles + ["KEYCHAIN"] : titles)
        for row in rows {
            table.append(isOfSeveral ? row.item + [row.keychain] : row.item)
        }
        guard !table.isEmpty else {
            return
        }
        try writeAnswer(Secret(table.text))
    }
}
