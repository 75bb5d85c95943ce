internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation

extension MatchOptions {
    /// Takes an option that is for certificates.
    ///
    /// - Returns: Whether the key is of one.
    /// - Throws: ``Status/param`` for a value of another type.
    mutating func takeCertificateOption(
        _ key: String, _ value: Any
    ) throws(KeychainError) -> Bool {
        switch key {
        case "m_SubjectContains": subject.append(.contains(try MatchOptions.text(value, key)))
        case "m_SubjectStartsWith": subject.append(.startsWith(try MatchOptions.text(value, key)))
        case "m_SubjectEndsWith": subject.append(.endsWith(try MatchOptions.text(value, key)))
        case "m_SubjectWholeString": subject.append(.wholeString(try MatchOptions.text(value, key)))
        case "m_EmailAddressIfPresent":
            emailAddressIfPresent = try MatchOptions.text(value, key)
        case "m_Issuers": issuers = try MatchOptions.issuers(value)
        case "m_ValidOnDate": validOnDate = try MatchOptions.date(value)
        case "m_TrustedOnly": trustedOnly = try ItemRequest.flag(value, key) ? true : nil
        default: return false
        }
        return true
    }

    private static func text(_ value: Any, _ key: String) throws(KeychainError) -> ByteString {
        guard let text = value as? String else {
            throw KeychainError(.param, "the value of '\(key)' is not a text")
        }
        return ByteString(text)
    }

    private static func issuers(_ value: Any) throws(KeychainError) -> [ByteString] {
        var issuers: [ByteString] = []
        for element in value as? [Any] ?? [value] {
            guard let der = element as? Data, let name = try? Certificate.normalized(name: der.span)
            else {
                throw KeychainError(.param, "kSecMatchIssuers is not a list of names in DER")
            }
            issuers.append(ByteString(name))
        }
        return issuers
    }

    private static func date(_ value: Any) throws(KeychainError) -> Timestamp {
        let date = value is NSNull ? Date() : value as? Date
        guard let date, let timestamp = Timestamp(date) else {
            throw KeychainError(.param, "kSecMatchValidOnDate is neither a date nor null")
        }
        return timestamp
    }
}
