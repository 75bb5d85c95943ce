internal import KeychainServices
internal import Keychains
internal import OneTimeCodes
internal import PlainTextScan
internal import ToolHelpers

/// The items whose secrets a scan searches for.
struct ScannedItems {
    /// An item, without its secret.
    struct Item {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        let keychain: String
    }

    /// Counts items by their outcome.
    struct Counts {
        /// Searched for.
        var searched = 0
        /// Left out, because they are too short.
        var short = 0
        /// Left out, because texts contain them by chance.
        var simple = 0
        /// Left out, because they ask the user at each use.
        var asking = 0
        /// Left out, because they are damaged.
        var damaged = 0
    }

    /// The items, by the numbers in matches.
    let items: [Item]
    let counts: Counts

    /// A secret that an array can contain.
    private final class Value {
        let reference: ItemReference
        let attributes: ItemAttributes
        /// Nil for an item that asks.
        let secret: Secret?

        init(_ reference: ItemReference, _ attributes: ItemAttributes, _ secret: consuming Secret?)
        {
            self.reference = reference
            self.attributes = attributes
            self.secret = secret
        }
    }

    /// Opens the secrets of all passwords.
    ///
    /// - Returns: The items, and the search for their secrets, which has copies of these: it must end before the
    ///   process does.
    /// - Throws: ``Status/interactionNotAllowed`` if one is locked; what the keychains throw.
    static func open(
        _ keychains: OpenKeychains
    ) throws(KeychainError) -> (items: ScannedItems, search: SecretSearch) {
        let keychain = keychains.keychain
        var collected = Collected()
        try keychain.readInPieces(ScannedItems.references(in: keychain)) {
            reference throws(KeychainError) in
            try ScannedItems.read(reference, keychain)
        } then: { reference, found throws(KeychainError) in
            switch found {
            case .value(let value):
                collected.add(value, of: keychains.store.keychainName(of: reference))
            case .damaged: collected.counts.damaged += 1
            case .missing: break
            }
        }
        collected.secrets.addPrivateKeys()
        let items = ScannedItems(items: collected.items, counts: collected.counts)
        return (items, try collected.secrets.finish())
    }

    private struct Collected: ~Copyable {
        var items: [Item] = []
        var counts = Counts()
        var secrets = SearchedSecrets()

        mutating func add(_ value: Value, of keychain: String?) {
            switch value.secret {
            case .some(let stored):
                let secret = ScannedItems.searched(stored, value.attributes)
                switch secrets.add(secret, account: value.attributes.account, item: items.count) {
                case .tooShort: counts.short += 1
                case .tooSimple: counts.simple += 1
                case nil:
                    counts.searched += 1
                    items.append(
                        Item(
                            itemClass: value.reference.itemClass, attributes: value.attributes,
                            keychain: keychain ?? ""))
                }
            case .none: counts.asking += 1
            }
        }
    }

    /// Returns what a copy would contain: the password in a tool's format, and the key in an otpauth URL.
    private static func searched(
        _ stored: borrowing Secret, _ attributes: ItemAttributes
    ) -> Secret {
        if OneTimeCodeKey.isURL(stored), let key = try? OneTimeCodeKey(url: stored) {
            return key.text.copy()
        }
        return ToolHelpers.password(of: stored, in: attributes.accessGroup)
    }

    private static func references(
        in keychain: Keychain
    ) throws(KeychainError) -> [ItemReference] {
        var attributes = ItemAttributes()
        attributes.isNegative = false
        let references = try keychain.references(
            ofAll: [.internetPassword, .genericPassword], attributes)
        // A search for a part of the secrets would hide that it found nothing of the others.
        if let damage = references.damage {
            throw damage
        }
        return references.found
    }

    private enum Found {
        case value(Value)
        case damaged
        /// It was deleted meanwhile.
        case missing
    }

    private static func read(
        _ reference: ItemReference, _ keychain: Keychain
    ) throws(KeychainError) -> Found {
        do throws(KeychainError) {
            let attributes =
                try keychain.firstMatch(of: Query(reference, returns: .attributes))?.attributes
                ?? ItemAttributes()
            guard attributes.accessControl?.flags.isEmpty != false else {
                return .value(Value(reference, attributes, nil))
            }
            let query = Query(reference, returns: [.data, .unlogged])
            guard let secret = try keychain.firstSecret(of: query) else {
                return .missing
            }
            return .value(Value(reference, attributes, secret))
        } catch  where error.status == .decode {
            return .damaged
        }
    }
}
