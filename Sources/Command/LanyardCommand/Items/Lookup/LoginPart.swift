internal import KeychainServices

/// An attribute that tells logins with one name and account apart.
enum LoginPart: CaseIterable {
    case securityDomain
    case `protocol`
    case authenticationType

    /// The option that names its value.
    var option: String {
        switch self {
        case .securityDomain: "--security-domain"
        case .protocol: "--protocol"
        case .authenticationType: "--authentication-type"
        }
    }

    /// What it is called in a list.
    private var word: String {
        switch self {
        case .securityDomain: "security domain"
        case .protocol: "protocol"
        case .authenticationType: "authentication type"
        }
    }

    /// Returns the value in an item, empty without one. Codes are padded with spaces.
    func value(of attributes: ItemAttributes) -> ByteString {
        switch self {
        case .securityDomain: attributes.securityDomain ?? ""
        case .protocol: LoginPart.code(attributes.protocol?.rawValue ?? "")
        case .authenticationType: LoginPart.code(attributes.authenticationType?.rawValue.text ?? "")
        }
    }

    private static func code(_ text: ByteString) -> ByteString {
        ByteString(Array(text.bytes.reversed().drop { $0 == UInt8(ascii: " ") }.reversed()))
    }

    /// Returns the value in a list.
    func text(of attributes: ItemAttributes) -> String {
        let value = value(of: attributes)
        return value.isEmpty ? "no \(word)" : "\(word) '\(value)'"
    }

    /// Returns those in which items differ that have all else of their names in common.
    static func differing(_ items: [ItemAttributes]) -> [LoginPart] {
        allCases.filter { part in Set(items.map(part.value)).count > 1 }
    }
}
