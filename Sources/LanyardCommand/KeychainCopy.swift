internal import Keychain

/// Copies the items of one keychain into another, those changed last in the end, so that their order
/// stays.
final class KeychainCopy {
    /// An item that was not copied, and why.
    struct Skipped {
        let item: String
        let error: KeychainError
    }

    /// How many items met which fate.
    struct Counts {
        var copied = 0
        var replaced = 0
        var same = 0
        var skipped = 0

        /// One line for a person.
        var text: String {
            let parts = [
                "\(copied) copied", replaced > 0 ? "\(replaced) replaced" : nil,
                "\(same) there already", "\(skipped) skipped",
            ]
            return parts.compactMap(\.self).joined(separator: ", ") + "\n"
        }
    }

    private(set) var counts = Counts()
    private(set) var skipped: [Skipped] = []
    private let source: Keychain
    private let target: Keychain
    private let staysOnMachine: Bool
    private let replaces: Bool

    /// - Parameters:
    ///   - staysOnMachine: Whether the target keeps the promise of items that stay on this machine.
    ///   - replaces: Whether items that differ in the target are replaced.
    init(from source: Keychain, to target: Keychain, staysOnMachine: Bool, replaces: Bool) {
        self.source = source
        self.target = target
        self.staysOnMachine = staysOnMachine
        self.replaces = replaces
    }

    /// - Parameter progress: Told how many items of how many are done.
    /// - Throws: What keeps the rest from being copied, too, for example a target that can't be
    ///   written. What was copied before stays.
    func run(progress: (Int, Int) -> Void) throws(KeychainError) {
        var references: [ItemReference] = []
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            var query = Query(itemClass, returns: .reference)
            query.synchronizable = .any
            query.match.limit = .all
            try source.forEachMatch(query) { item throws(KeychainError) in
                if let reference = item.reference {
                    references.append(reference)
                }
                return .next
            }
        }
        var done = 0
        for reference in references.reversed() {
            try copy(reference)
            done += 1
            progress(done, references.count)
        }
    }

    private func copy(_ reference: ItemReference) throws(KeychainError) {
        var secret: Secret?
        var attributes = ItemAttributes()
        do throws(KeychainError) {
            let query = Query(reference, returns: [.attributes, .data])
            try source.forEachMatch(query) { item throws(KeychainError) in
                attributes = item.attributes ?? attributes
                switch item.secret {
                case .some(let found): secret = found.copy()
                case .none: break
                }
                return .stop
            }
        } catch {
            // One that is damaged is no reason to leave the others behind.
            guard error.status == .decode else {
                throw error
            }
            return skip(reference, attributes, error)
        }
        switch secret {
        case .some(let secret): try put(reference, attributes, secret)
        // It was removed meanwhile.
        case .none: break
        }
    }

    private func put(
        _ reference: ItemReference, _ attributes: ItemAttributes, _ secret: borrowing Secret
    ) throws(KeychainError) {
        if attributes.accessible?.isThisDeviceOnly == true, !staysOnMachine {
            return skip(
                reference, attributes, KeychainError(.param, "it is to stay on this machine"))
        }
        var attributes = attributes
        attributes.creationDate = nil
        attributes.modificationDate = nil
        let place = Query(identityOf: attributes, reference.itemClass)
        do throws(KeychainError) {
            switch try compare(place, attributes, secret) {
            case .same: counts.same += 1
            case .other where replaces:
                try target.update(place, attributes, secret: secret.copy())
                counts.replaced += 1
            case .other:
                skip(
                    reference, attributes,
                    KeychainError(
                        .duplicateItem, "another one is there already; --replace replaces it"))
            case nil:
                try target.add(reference.itemClass, attributes, secret: secret)
                counts.copied += 1
            }
        } catch {
            guard [.param, .authFailed, .dataTooLarge, .duplicateItem].contains(error.status) else {
                throw error
            }
            skip(reference, attributes, error)
        }
    }

    private enum Comparison {
        case same
        case other
    }

    /// How the item of an identity in the target compares; nil if there is none.
    private func compare(
        _ place: Query, _ attributes: ItemAttributes, _ secret: borrowing Secret
    ) throws(KeychainError) -> Comparison? {
        var place = place
        place.returns = [.attributes, .data]
        let secret = secret.copy()
        var comparison: Comparison?
        try target.forEachMatch(place) { item throws(KeychainError) in
            let there = item.attributes ?? ItemAttributes()
            let isSameSecret: Bool
            switch item.secret {
            case .some(let other): isSameSecret = other.isEqual(to: secret)
            case .none: isSameSecret = false
            }
            comparison =
                isSameSecret && there.withoutAbsent == attributes.withoutAbsent ? .same : .other
            return .stop
        }
        return comparison
    }

    private func skip(
        _ reference: ItemReference, _ attributes: ItemAttributes, _ error: KeychainError
    ) {
        counts.skipped += 1
        var name = attributes.name.description
        if let account = attributes.account, !account.isEmpty {
            name += " of \(account.description)"
        }
        let shown = name.isEmpty ? "an item" : "'\(name)'"
        skipped.append(Skipped(item: shown, error: error))
    }
}
