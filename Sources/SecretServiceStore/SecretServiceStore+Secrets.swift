#if SecretService
internal import CGIO
internal import KeychainServices

/// A secret in an array.
final class KeptSecret {
    let secret: Secret

    init(_ secret: consuming Secret) {
        self.secret = secret
    }
}

extension SecretServiceStore {
    /// The secrets of items by the items' paths; those that are gone are missing.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if they are locked and nobody can be asked.
    func secrets(
        of paths: [String], _ link: ServiceLink
    ) throws(KeychainError) -> [String: KeptSecret] {
        guard !paths.isEmpty else {
            return [:]
        }
        return try unlocking(link) { () throws(KeychainError) in
            let session = try link.session()
            let answer = try link.callService(
                "GetSecrets", .tuple(.paths(paths), .path(try session.path())),
                answer: "(a{o(oayays)})")
            let entries = answer.child(0)
            var secrets: [String: KeptSecret] = [:]
            for index in 0..<entries.count {
                let entry = entries.child(index)
                secrets[entry.child(0).text.description] = KeptSecret(
                    try session.decrypt(entry.child(1)))
            }
            // What is locked is left out, as is what is gone.
            if secrets.count < paths.count, try link.collectionProperty("Locked").isTrue {
                throw KeychainError(.interactionNotAllowed)
            }
            return secrets
        }
    }

    /// Whether none of these is a whole item, see ``StoredItem/isUnfinished(_:)``.
    func areUnfinished(
        _ items: [StoredItem], _ link: ServiceLink
    ) throws(KeychainError) -> Bool {
        // Those of other programs and those that are to be empty need no look at their secrets.
        guard
            items.allSatisfy({
                $0.remote.attributes[ItemDates.changedKey] != nil
                    && $0.remote.attributes[ItemDates.emptyKey] == nil
            })
        else {
            return false
        }
        let kept = try secrets(of: items.map(\.remote.path), link)
        return items.allSatisfy { kept[$0.remote.path].map($0.isUnfinished) ?? false }
    }

    /// A secret in the form in which it travels to the service.
    func encrypt(_ kept: KeptSecret, _ link: ServiceLink) throws(KeychainError) -> Variant {
        let hasPlaceholder = kept.secret.withBytes { $0.hasPlaceholder }
        // Where it is no text, nothing is put for anything.
        let isMangled = hasPlaceholder ? try isKeePassXC(link) : false
        return try link.session().encrypt(kept.secret, isText: !isMangled)
    }

    /// Runs a closure, and once more if it failed because the collection is locked and could be
    /// unlocked then. It changes nothing where it finds the collection locked.
    func unlocking<Result>(
        _ link: ServiceLink, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) {
            return try body()
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
            try unlock(link)
            return try body()
        }
    }
}
#endif
