internal import LanyardPrompting
internal import KeychainServices
internal import SealedStore

/// The user's consent to the treatment of a damaged keychain.
struct QuarantineConsent {
    private let found: Verification
    private let acceptsMissing: Bool
    private let yes: Bool

    /// - Parameters:
    ///   - acceptsMissing: Whether the user has already accepted missing items.
    ///   - yes: Whether the user has already agreed to the rest.
    init(_ found: Verification, acceptsMissing: Bool, yes: Bool) {
        self.found = found
        self.acceptsMissing = acceptsMissing
        self.yes = yes
    }

    /// Whether more than damaged items needs consent.
    var isNeeded: Bool { !found.isItemSetExplained }

    /// Asks, unless the user has agreed to everything.
    ///
    /// - Throws: ``Status/userCanceled``, ``Status/interactionNotAllowed``; ``Status/param`` if the user
    ///   agreed only to a part.
    func ask() throws(KeychainError) {
        let text = sentences.joined(separator: ", and ")
        let hint = "add --yes\(isNeeded ? " and --accept-missing" : "") to go ahead"
        guard !yes else {
            guard !isNeeded || acceptsMissing else {
                throw KeychainError(.param, "\(text): not confirmed", hint: hint)
            }
            return
        }
        try askToContinue(text, hint: hint)
    }

    private var sentences: [String] {
        var sentences: [String] = []
        let count = found.damaged.count
        if count > 0 {
            sentences.append("\(count == 1 ? "1 item is" : "\(count) items are") moved to a file")
        }
        switch found.rowSet {
        case .complete: break
        case .unknown:
            sentences.append(
                "lanyard can no longer tell whether others came from an older copy")
        case .missing(let count):
            sentences.append(
                "\(count == 1 ? "1 missing item is" : "\(count) missing items are") given up")
        case .surplus where !isNeeded: break
        case .surplus, .exchanged:
            sentences.append("items from an older copy of the keychain count as current")
        }
        if found.isStructureDamaged {
            sentences.append("the file's indexes are rebuilt")
        }
        return sentences
    }
}
