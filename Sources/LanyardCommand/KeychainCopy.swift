internal import ImportEngine
internal import Keychain

/// Copies the items of one keychain into another, those changed last in the end, so that their order
/// stays, and with their dates.
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
        let source = try KeychainSource(source)
        var done = 0
        for reference in source.references {
            try copy(reference, of: source)
            done += 1
            progress(done, source.references.count)
        }
    }

    private func copy(
        _ reference: ItemReference, of source: KeychainSource
    ) throws(KeychainError) {
        let item: KeychainSource.Item?
        do throws(KeychainError) {
            item = try source.read(reference)
        } catch {
            // One that is damaged is no reason to leave the others behind.
            guard error.status == .decode else {
                throw error
            }
            return skip(reference, ItemAttributes(), error)
        }
        // Nil if it was removed meanwhile.
        if let item {
            try put(reference, item.attributes, item.secret)
        }
    }

    private func put(
        _ reference: ItemReference, _ attributes: ItemAttributes, _ secret: borrowing Secret
    ) throws(KeychainError) {
        if attributes.accessible?.isThisDeviceOnly == true, !staysOnMachine {
            return skip(
                reference, attributes, KeychainError(.param, "it is to stay on this machine"))
        }
        let place = Query(identityOf: attributes, reference.itemClass)
        do throws(KeychainError) {
            let there = try target.compared(
                reference.itemClass, attributes, secret, by: .everything)
            switch there {
            case .some(let there) where there.isSame: counts.same += 1
            case .some where replaces:
                try target.update(place, attributes, secret: secret.copy())
                counts.replaced += 1
            case .some:
                skip(
                    reference, attributes,
                    KeychainError(
                        .duplicateItem, "another one is there already; --replace replaces it"))
            case nil:
                try target.add(
                    reference.itemClass, attributes, secret: secret, keepsDates: true)
                counts.copied += 1
            }
        } catch {
            guard error.isOfOneItem else {
                throw error
            }
            skip(reference, attributes, error)
        }
    }

    private func skip(
        _ reference: ItemReference, _ attributes: ItemAttributes, _ error: KeychainError
    ) {
        counts.skipped += 1
        let shown = attributes.shownName ?? "an item"
        skipped.append(Skipped(item: shown, error: error))
    }
}
