package import KeychainServices

/// A reference to a secret in a text, such as `lanyard:stripe/live`.
///
/// It is `lanyard:SERVICE`, `lanyard:SERVICE/ACCOUNT` or `lanyard:URL`. An item with the name `SERVICE/ACCOUNT` comes
/// first. After a `#` comes a part, or `account` for the item's
/// account instead of its secret. A slash, a `#` or a `%` inside a service or an
/// account is written in percent encoding.
package struct SecretReference: Hashable, Sendable {
    /// The beginning of every reference.
    package static let scheme = "lanyard:"

    /// The reference as it was written.
    package let text: String
    /// The name of the item: its service, or a URL.
    package let name: String
    /// The account, nil for any.
    package let account: String?
    /// Whether it means the item's account instead of its secret.
    package let isAccount: Bool
    /// The name `SERVICE/ACCOUNT` of the item that is meant if there is one; nil without an account, and with a
    /// part.
    package var exactName: String? {
        hasPart ? nil : account.map { "\(name)/\($0)" }
    }

    /// The name of the item whose part it means, nil for no part.
    package let wholeName: String?
    private var hasPart: Bool { wholeName != nil }

    /// The name that the text would have without the rules for references, and how to write it; nil if that is the name
    /// that it has.
    package var literal: (name: String, reference: String)? {
        let plain = String(text.dropFirst(SecretReference.scheme.count))
        let encoded = ByteString(plain).percentEncoded(besides: "/#{}")
        return plain == name ? nil : (plain, "\(SecretReference.scheme)\(encoded)")
    }

    /// Parses a reference.
    ///
    /// - Throws: ``Status/param`` if it is invalid.
    package init(_ text: String) throws(KeychainError) {
        guard let reference = SecretReference(parsing: text) else {
            throw KeychainError(
                .param, "invalid reference '\(text)'",
                hint:
                    "write lanyard:SERVICE or lanyard:SERVICE/ACCOUNT, with / # % in a name as %2F %23 %25"
            )
        }
        self = reference
    }

    private init?(parsing text: String) {
        guard text.hasPrefix(SecretReference.scheme),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            return nil
        }
        self.text = text
        let place = text.dropFirst(SecretReference.scheme.count)
        guard URLParts(Array(place.utf8).span).scheme == nil else {
            let end = "#account"
            isAccount = place.hasSuffix(end)
            name = String(isAccount ? place.dropLast(end.count) : place)
            account = nil
            wholeName = nil
            return
        }
        let halves = place.split(
            separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let words = halves[0].split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false
        ).map(SecretReference.decoded)
        let value = halves.count == 1 ? .secret : ProfileValue(name: String(halves[1]))
        guard let value, let service = words[0], !service.isEmpty else {
            return nil
        }
        if words.count == 2 {
            guard let account = words[1], !account.isEmpty else {
                return nil
            }
            self.account = account
        } else {
            account = nil
        }
        isAccount = value == .account
        wholeName = value.part == nil ? nil : service
        name = value.part.map { "\(service)/\($0)" } ?? service
    }

    /// Returns a word without percent encoding; nil if that is invalid, or a slash remains.
    private static func decoded(_ word: Substring) -> String? {
        // Not characters: an accent that follows a slash is a part of its character.
        guard !word.utf8.contains(UInt8(ascii: "/")),
            let bytes = Array(word.utf8).span.percentDecoded, !bytes.contains(0)
        else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
