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
        let keychain = try keychain.keychain()
        if json.isOn {
            try printJSON(keychain)
        } else {
            try printTable(keychain)
        }
    }

    private func forEach(
        in keychain: Keychain,
        _ body: (ItemClass, ItemAttributes) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        for itemClass in [ItemClass.internetPassword, .genericPassword] {
            var attributes = ItemAttributes()
            attributes.accessGroup = group.name.map { ByteString($0) }
            var query = Query(itemClass, attributes, returns: .attributes)
            query.synchronizable = .any
            query.match.limit = .all
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                if let attributes = item.attributes {
                    try body(itemClass, attributes)
                }
                return .next
            }
        }
    }

    private func printJSON(_ keychain: Keychain) throws(KeychainError) {
        try JSONWriter.write(
            invalidText: .replace,
            to: { piece throws(KeychainError) in try writeAnswer(piece) }
        ) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                try forEach(in: keychain) { itemClass, attributes throws(KeychainError) in
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.members(of: attributes, itemClass)
                    }
                }
            }
        }
    }

    private func printTable(_ keychain: Keychain) throws(KeychainError) {
        var table = Table(["GROUP", "WHAT", "ACCOUNT", "CHANGED"])
        try forEach(in: keychain) { _, attributes throws(KeychainError) in
            table.append([
                (attributes.accessGroup ?? "").description, attributes.name.description,
                (attributes.account ?? "").description,
                attributes.modificationDate?.text ?? "",
            ])
        }
        guard !table.isEmpty else {
            return
        }
        try writeAnswer(Secret(table.text))
    }
}
