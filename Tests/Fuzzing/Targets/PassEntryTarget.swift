import KeychainServices

@testable import LanyardTransfer

/// An entry of pass: a name, a NUL and the text. Nothing of the text gets lost, and nothing of it but
/// login and address is an attribute.
enum PassEntryTarget: FuzzTarget {
    static let name = "pass-entry"

    static func run(_ input: [UInt8]) {
        let end = input.firstIndex(of: 0) ?? input.count
        let name = ByteString(Array(input[..<end]))
        let text = Array(input[end...].dropFirst())
        let contents = PassEntry(name: name).contents(of: Secret(copying: text.span)).map {
            ImportedEntries.Content($0, group: "login")
        }
        let secrets = contents.compactMap {
            if case .item(_, _, let secret) = $0 { secret } else { nil }
        }
        check(!contents.isEmpty, "an entry is nothing")
        for content in contents {
            switch content {
            case .item(let itemClass, let attributes, let secret):
                check(!secret.isEmpty, "an item has no secret")
                guard secret != text else {
                    continue
                }
                check(attributes.label == name, "the label is not the name")
                if !secrets.contains(text), contents.count == 1 {
                    checkRest(of: text, secret)
                }
                check(
                    itemClass == .internetPassword || attributes.service == name, "a name is lost")
            case .skipped:
                check(
                    text.first.map { $0 < 0x20 } ?? true
                        || name.bytes.count + PassEntry.wholeSuffix.utf8.count > 65_535,
                    "a password is skipped")
            case .shadowed, .without: fail("an entry alone is shadowed")
            }
        }
    }

    /// What is not the secret has to be something that an attribute is for.
    private static func checkRest(of text: [UInt8], _ secret: [UInt8]) {
        check(text.starts(with: secret), "the secret is not how the text begins")
        let keys = ["login", "user", "username", "url"]
        for line in text.dropFirst(secret.count).split(separator: 0x0A)
        where !line.allSatisfy({ $0.isWhitespace }) {
            let key = String(decoding: line.prefix { $0 != 0x3A }, as: UTF8.self)
            let word = key.lowercased().filter { !$0.isWhitespace }
            check(keys.contains(word), "a line of the text is lost")
        }
    }
}
