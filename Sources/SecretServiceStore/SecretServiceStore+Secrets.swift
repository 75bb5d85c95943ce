#if SecretService
internal import KeychainServices

/// A secret in an array.
final class SecretBox {
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
    ) throws(KeychainError) -> [String: SecretBox] {
        guard !paths.isEmpty else {
            return [:]
        }
        return try unlocking(link) { () throws(KeychainError) in
            try link.openSession()
            let secrets = try link.libsecret.secrets(of: paths)
            // What is locked is left out, as is what is gone.
            if secrets.count < paths.count, try link.properties().isLocked {
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

    /// A secret as the service is given it.
    func copy(_ kept: SecretBox, _ link: ServiceLink) throws(KeychainError) -> SecretCopy {
        try link.openSession()
        let hasPlaceholder = kept.secret.withBytes { $0.hasPlaceholder }
        // Where it is no text, nothing is put for anything.
        let isMangled =
            hasPlaceholder ? try link.isKnown(as: SecretServiceStore.nameOfKeePassXC) : false
        return SecretCopy(kept.secret, isText: !isMangled)
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
            try link.unlock()
            return try body()
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether there may be a name in braces in this text for which KeePassXC would put something
    /// else, as it does for `{USERNAME}` or `{REF:P@T:title}`.
    var hasPlaceholder: Bool {
        var isOpen = false
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "}") where isOpen: return true
            case UInt8(ascii: "{") where index + 1 < count:
                isOpen = isOpen || self[index + 1].isLetter
            default: break
            }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
#endif
