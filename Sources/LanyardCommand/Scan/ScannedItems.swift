internal import KeychainServices
internal import Keychains
internal import OneTimeCodes
internal import PlainTextScan
internal import Tools

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
    /// The search for their secrets.
    let search: SecretSearch

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

    /// How many items are read at once: other programs wait meanwhile.
    private static let pieceSize = 128

    /// Opens the secrets of all passwords.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if one is locked; what the keychains throw.
    init(of keychains: OpenKeychains) throws(KeychainError) {
        let references = try ScannedItems.references(in: keychains.keychain)
        var collected = Collected()
        var start = 0
        while start < references.count {
            let end = min(start + ScannedItems.pieceSize, references.count)
            var damaged = 0
            let values = try keychains.keychain.readTogether { () throws(KeychainError) in
                var values: [Value] = []
                damaged = 0
                for reference in references[start..<end] {
                    do throws(KeychainError) {
                        try ScannedItems.read(reference, keychains.keychain, &values)
                    } catch {
                        guard error.status == .decode else {
                            throw error
                        }
                        damaged += 1
                    }
                }
                return values
            }
            collected.counts.damaged += damaged
            for value in values {
                collected.add(value, of: keychains.store.keychainName(of: value.reference))
            }
            start = end
        }
        items = collected.items
        counts = collected.counts
        collected.secrets.addPrivateKeys()
        search = try collected.secrets.finish()
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
        return Tools.password(of: stored, in: attributes.accessGroup)
    }

    private static func references(
        in keychain: Keychain
    ) throws(KeychainError) -> [ItemReference] {
        var references: [ItemReference] = []
        let queries = [ItemClass.internetPassword, .genericPassword].map { itemClass in
            var query = Query(itemClass, returns: .reference)
            query.attributes.isNegative = false
            query.synchronizable = .any
            query.match.limit = .all
            return query
        }
        let damage = try keychain.forEachMatch(ofAll: queries) { item throws(KeychainError) in
            if let reference = item.reference {
                references.append(reference)
            }
            return .next
        }
        // A search for a part of the secrets would hide that it found nothing of the others.
        if let damage {
            throw damage
        }
        return references
    }

    private static func read(
        _ reference: ItemReference, _ keychain: Keychain, _ values: inout [Value]
    ) throws(KeychainError) {
        var attributes = ItemAttributes()
        try keychain.forEachMatch(Query(reference, returns: .attributes)) { item in
            attributes = item.attributes ?? ItemAttributes()
            return .stop
        }
        guard attributes.accessControl?.flags.isEmpty != false else {
            values.append(Value(reference, attributes, nil))
            return
        }
        let query = Query(reference, returns: [.data, .unlogged])
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            switch item.secret {
            case .some(let secret): values.append(Value(reference, attributes, secret.copy()))
            case .none: break
            }
            return .stop
        }
    }
}
