internal import KeychainServices

/// Which of two entries for one place and account a format's own programs use.
package enum Precedence: Sendable {
    /// The first one: the later one is ``ImportRecord/Content/shadowed``.
    case first
    /// The last one: the earlier one is ``ImportRecord/Content/shadowed``.
    case last
    /// Neither: if the two differ, the later one fails.
    case neither
}

/// The places of earlier entries in a file, which keeps a later entry from replacing an earlier one. Where the last one
/// counts, entries come in the reverse order.
struct EarlierEntries {
    private let precedence: Precedence
    /// Each with a digest of its secret and note.
    private var identities: [ItemIdentity: Int]

    /// - Parameter count: The approximate number of entries, if known.
    init(_ precedence: Precedence = .neither, about count: Int = 0) {
        self.precedence = precedence
        identities = Dictionary(minimumCapacity: count)
    }

    /// Returns an item, or its replacement if an earlier one had the same identity.
    ///
    /// - Parameters:
    ///   - others: A digest of the entry's other parts that become items.
    ///   - later: Makes the replacement, if not the precedence. It learns whether the earlier one had the same secret,
    ///     note and other parts.
    mutating func item(
        _ item: NewItem, with others: Int = 0,
        later: ((_ isSame: Bool) -> ImportRecord.Content)? = nil
    ) -> ImportRecord.Content {
        let content = EarlierEntries.number(of: item) ^ others
        if let earlier = identities[item.identity] {
            if let later {
                return later(earlier == content)
            }
            let isSame = earlier == content
            return precedence == .neither
                ? .samePlace(isSame: isSame) : .shadowed(isSame: isSame)
        }
        guard item.isStorable else {
            return .item(withinLimits: item)
        }
        identities[item.identity] = content
        return .item(item)
    }

    private static func number(of item: NewItem) -> Int {
        guard let comment = item.attributes.comment else {
            return item.secretDigest
        }
        var hasher = Hasher()
        hasher.combine(item.secretDigest)
        hasher.combine(comment)
        return hasher.finalize()
    }
}

extension ImportRecord.Content {
    /// Returns the result of an entry for the place of an earlier one. If the two differ, an import that
    /// counts as complete would lose it.
    static func samePlace(isSame: Bool) -> ImportRecord.Content {
        isSame
            ? .shadowed(isSame: true)
            : .failed(
                KeychainError(.duplicateItem, "another entry is for the same place and account"))
    }
}
