internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import StrictJSON

/// `lanyard get`: prints a secret.
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a secret.",
        discussion: "Of several items that match, the one added or changed last is meant.")

    @OptionGroup var named: NamedItem
    @OptionGroup var group: GroupOption
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let search = ItemSearch(
            name: try named.name(), group: group.name.map { ByteString($0) })
        var answer: Secret?
        let opened = try keychain.open()
        try search.forEach(in: opened.keychain, returns: [.data, .reference]) {
            item, attributes throws(KeychainError) in
            let name = item.reference.flatMap(opened.store.keychainName)
            answer = try self.answer(item, attributes, keychain: name ?? "")
            return .stop
        }
        guard let answer else {
            throw ItemSearch.nothing(named.what)
        }
        try writeAnswer(answer)
    }

    private func answer(
        _ item: borrowing MatchedItem, _ attributes: ItemAttributes, keychain: String
    ) throws(KeychainError) -> Secret {
        let password: Password
        switch item.secret {
        case .some(let stored):
            password = Password(Group.password(of: stored, in: attributes.accessGroup))
        case .none:
            throw KeychainError(.itemNotFound)
        }
        guard json.isOn else {
            var line = SecretBuilder(capacity: password.secret.count + 1)
            line.append(password.secret)
            line.append(UInt8(ascii: "\n"))
            return line.finish()
        }
        let itemClass = item.itemClass
        return try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try writer.members(of: attributes, itemClass)
                try writer.member("keychain", ByteString(keychain))
                try writer.member(secret: password.secret)
            }
        }
    }
}

/// A secret that closures can share.
private final class Password {
    let secret: Secret

    init(_ secret: consuming Secret) {
        self.secret = secret
    }
}
