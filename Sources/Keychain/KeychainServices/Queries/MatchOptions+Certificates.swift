/// A text in a certificate's subject. The options of ``MatchOptions`` for texts apply to it.
public enum SubjectMatch: Hashable, Sendable {
    /// One of the subject's texts contains it: kSecMatchSubjectContains.
    case contains(ByteString)
    /// One of the subject's texts begins with it: kSecMatchSubjectStartsWith.
    case startsWith(ByteString)
    /// One of the subject's texts ends with it: kSecMatchSubjectEndsWith.
    case endsWith(ByteString)
    /// One of the subject's texts equals it: kSecMatchSubjectWholeString.
    case wholeString(ByteString)
}

extension MatchOptions {
    /// Whether there is an option that only certificates and identities have.
    package var isForCertificates: Bool {
        !subject.isEmpty || issuers != nil || emailAddressIfPresent != nil || validOnDate != nil
            || trustedOnly != nil
    }

    /// The options without those that only certificates and identities have.
    package var withoutCertificateOptions: MatchOptions {
        var options = self
        options.subject = []
        options.issuers = nil
        options.emailAddressIfPresent = nil
        options.validOnDate = nil
        options.trustedOnly = nil
        return options
    }

    /// Whether a certificate with these attributes matches, as far as attributes can tell: not whether it is
    /// trusted.
    func matchesCertificate(_ attributes: ItemAttributes) -> Bool {
        let values = subject.isEmpty ? [] : attributes.subjectValues ?? []
        guard subject.allSatisfy({ matches($0, values) }) else {
            return false
        }
        if let issuers, !issuers.contains(attributes.issuer ?? "") {
            return false
        }
        if let wanted = emailAddressIfPresent, let found = attributes.emailAddresses,
            !found.isEmpty, !found.contains(where: { $0.isEqualIgnoringCase(wanted) })
        {
            return false
        }
        guard let validOnDate else {
            return true
        }
        // A certificate without dates is never valid.
        guard let first = attributes.notValidBefore, let last = attributes.notValidAfter else {
            return false
        }
        return first <= validOnDate && validOnDate <= last
    }

    private func matches(_ subject: SubjectMatch, _ values: [ByteString]) -> Bool {
        values.lazy.map(folded).contains { value in
            switch subject {
            case .contains(let text): contains(value, folded(text))
            case .startsWith(let text): value.starts(with: folded(text))
            case .endsWith(let text): value.reversed().starts(with: folded(text).reversed())
            case .wholeString(let text): value == folded(text)
            }
        }
    }

    private func contains(_ value: [UInt8], _ text: [UInt8]) -> Bool {
        text.isEmpty || value.indices.contains { value[$0...].starts(with: text) }
    }
}
