#if SecretService
internal import KeychainServices

/// A secret that can be an array's element.
final class SecretBox {
    let secret: Secret

    init(_ secret: consuming Secret) {
        self.secret = secret
    }
}

extension SecretServiceStore {
    /// Returns the secrets of items by path, without deleted ones.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if they are locked and no user can be asked.
    func secrets(
        of paths: [String], _ link: ServiceLink
    ) throws(KeychainError) -> [String: SecretBox] {
        guard !paths.isEmpty else {
            return [:]
        }
        return try unlocking(link) { () throws(KeychainError) in
            try link.openSession()
            let secrets = try link.libsecret.secrets(of: paths)
            // Locked secrets are missing, just like deleted ones.
            if secrets.count < paths.count, try link.properties().isLocked {
                throw KeychainError(.interactionNotAllowed)
            }
            return secrets
        }
    }

    /// Returns whether all of these items are incomplete, see ``StoredItem/isUnfinished(_:)``.
    func areUnfinished(
        _ items: [StoredItem], _ link: ServiceLink
    ) throws(KeychainError) -> Bool {
        // Items of other programs and intentionally empty ones need no look at their secrets.
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

    /// Returns a secret in the form for the service.
    func copy(_ kept: SecretBox, _ link: ServiceLink) throws(KeychainError) -> SecretCopy {
        try link.openSession()
        let hasPlaceholder = kept.secret.withBytes { $0.hasPlaceholder }
        // KeePassXC replaces nothing in binary data.
        let isMangled =
            hasPlaceholder ? try link.isKnown(as: SecretServiceStore.nameOfKeePassXC) : false
        return SecretCopy(kept.secret, isText: !isMangled)
    }

    /// Runs a closure, and repeats it if the collection was locked and could be unlocked. A closure
    /// that finds it locked changes nothing.
    func unlocking<Result>(
        _ link: ServiceLink, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) {
            return try body()
        } catch  where error.status == .interactionNotAllowed {
            try link.unlock()
            return try body()
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether this text may have a name in braces that KeePassXC would replace, such as
    /// `{USERNAME}` or `{REF:P@T:title}`.
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
#endif
