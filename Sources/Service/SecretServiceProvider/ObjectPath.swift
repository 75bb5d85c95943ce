#if SecretService
internal import KeychainServices

/// The paths of objects. The corresponding section of the specification is "Object Paths".
enum ObjectPath: Hashable {
    case service
    /// The collection of a keychain, by its name.
    case collection(String)
    case item(String, ItemID)
    /// The collection of an alias.
    case alias(String)
    case session(UInt64)
    case prompt(UInt64)

    private static let root = "/org/freedesktop/secrets"
    static let collections = "\(root)/collection"
    static let aliases = "\(root)/aliases"
    static let sessions = "\(root)/session"
    static let prompts = "\(root)/prompt"
    /// Paths without an object, directly above others.
    static let containers = [collections, aliases, sessions, prompts]
    /// The path that names no object.
    static let none = "/"

    var text: String {
        switch self {
        case .service: ObjectPath.root
        case .collection(let name): "\(ObjectPath.collections)/\(ObjectPath.escape(name))"
        case .item(let name, let id):
            "\(ObjectPath.collections)/\(ObjectPath.escape(name))/\(Hexadecimal.encode(id.bytes))"
        case .alias(let name): "\(ObjectPath.aliases)/\(name)"
        case .session(let number): "\(ObjectPath.sessions)/s\(number)"
        case .prompt(let number): "\(ObjectPath.prompts)/p\(number)"
        }
    }

    /// Creates the path of a text; nil for other paths than ours.
    init?(_ text: String) {
        guard text.hasPrefix(ObjectPath.root) else {
            return nil
        }
        let parts = text.dropFirst(ObjectPath.root.count).split(
            separator: "/", omittingEmptySubsequences: false
        ).dropFirst()
        let words = Array(parts)
        switch (words.first, words.count) {
        case (nil, 0) where text == ObjectPath.root: self = .service
        case ("collection", 2):
            guard let name = ObjectPath.unescape(words[1]) else {
                return nil
            }
            self = .collection(name)
        case ("collection", 3):
            guard let name = ObjectPath.unescape(words[1]),
                let id = Hexadecimal.decode(words[2].utf8).flatMap(ItemID.init)
            else {
                return nil
            }
            self = .item(name, id)
        case ("aliases", 2): self = .alias(String(words[1]))
        case ("session", 2):
            guard let number = ObjectPath.number(words[1], after: "s") else {
                return nil
            }
            self = .session(number)
        case ("prompt", 2):
            guard let number = ObjectPath.number(words[1], after: "p") else {
                return nil
            }
            self = .prompt(number)
        default: return nil
        }
        // Each object has one path, and none has an empty name.
        guard self.text == text, !text.hasSuffix("/") else {
            return nil
        }
    }

    private static func number(_ word: Substring, after letter: Character) -> UInt64? {
        word.first == letter ? UInt64(word.dropFirst()) : nil
    }

    /// Writes a keychain's name with the characters that a path may have: others become `_` and two hexadecimal
    /// digits.
    private static func escape(_ name: String) -> String {
        var escaped = ""
        for byte in name.utf8 {
            escaped +=
                byte.isLetterOrDigit
                ? String(UnicodeScalar(byte)) : "_\(Hexadecimal.encode([byte]))"
        }
        return escaped
    }

    private static func unescape(_ word: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = Hexadecimal.decode(rest.prefix(2)), decoded.count == 1 else {
                return nil
            }
            bytes += decoded
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
#endif
