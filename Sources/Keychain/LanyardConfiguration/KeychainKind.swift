/// The kind of a keychain.
public enum KeychainKind: Hashable, Sendable {
    /// A sealed file.
    case sealed
    /// The program `lanyard-keychain-KIND`, by its KIND.
    case plugin(String)

    /// The kind of keychains in the desktop's Secret Service.
    public static let secretService = KeychainKind.plugin("secret-service")

    /// The kind as written in the configuration: `sealed`, or a plugin's kind.
    public var name: String {
        switch self {
        case .sealed: "sealed"
        case .plugin(let kind): kind
        }
    }

    /// Creates the kind with a name of 1 to 64 lower-case letters, digits and `-`, nil for any
    /// other.
    public init?(name: String) {
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard allowed, (1...64).contains(name.utf8.count) else {
            return nil
        }
        self = name == "sealed" ? .sealed : .plugin(name)
    }
}
