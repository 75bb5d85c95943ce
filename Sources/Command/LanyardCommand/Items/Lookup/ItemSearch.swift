internal import KeychainServices
internal import OneTimeCodes
internal import ToolHelpers

/// Finds the items that match a user's name for them.
struct ItemSearch {
    let name: ItemName
    let group: ByteString?
    /// Whether only synchronizable items match, or only the others; nil for both.
    var synchronizable: Bool?
    /// Whether the password is to be read: leaves out items that say that there is none, and, unless their
    /// group is given, keys of one-time codes, which have the names of logins.
    var isForReading = false
    /// The values of further attributes, empty for none.
    var parts: [LoginPart: ByteString] = [:]

    /// Returns the same search for another name.
    func named(_ name: ItemName) -> ItemSearch {
        ItemSearch(
            name: name, group: group, synchronizable: synchronizable, isForReading: isForReading,
            parts: parts)
    }

    /// The searches for what the name means if no item has it: a name and an account, and the item that `lanyard set
    /// --for` stores under it for the tool of the group.
    var further: [ItemSearch] {
        let ofTool = ToolFormat(group: group).flatMap { name.stored(by: $0) }
        return [name.ofNameAndAccount, ofTool].compactMap(\.self).map { named($0) }
    }

    /// Passes the items to a closure: first those that the name means, then those that a list shows under
    /// the same name; in each case, those added or changed last come first.
    func forEach(
        in keychain: Keychain, returns: ReturnOptions,
        _ body: (consuming MatchedItem, ItemAttributes) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var isFound = false
        var isStopped = false
        for meaning in meanings where !isStopped {
            try forEach(meaning, in: keychain, returns: returns) {
                item, attributes throws(KeychainError) in
                isFound = true
                let step = try body(item, attributes)
                isStopped = step == .stop
                return step
            }
        }
        if !isFound {
            try searchWithoutServersUser?.forEach(in: keychain, returns: returns, body)
        }
    }

    /// The search for cargo's token of a registry: the user in an address of ssh is the server's, and such items have
    /// none. Nil for other names.
    var searchWithoutServersUser: ItemSearch? {
        let cargo = ByteString("cargo")
        guard name.itemClass == .internetPassword, name.attributes.protocol == .ssh,
            name.attributes.account != nil, group == nil || group == cargo
        else {
            return nil
        }
        return ItemSearch(
            name: name.ofAnyAccount, group: cargo, synchronizable: synchronizable,
            isForReading: isForReading)
    }

    /// Whether an item matches.
    func isThere(in keychain: Keychain) throws(KeychainError) -> Bool {
        var isThere = false
        try forEach(in: keychain, returns: .attributes) { _, _ in
            isThere = true
            return .stop
        }
        return isThere
    }

    /// Whether a match has exactly this name, not just a path that the name lacks.
    func isExact(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> Bool {
        let wanted = itemClass == name.itemClass ? name.attributes : name.otherAttributes
        return (attributes.path ?? "").trimmingSlashes == wanted?.path ?? ""
    }

    /// One of the two meanings of a name.
    struct Meaning {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        /// The walks that find its matches. The server's letter case means nothing, but only sealed keychains can search
        /// without it: the usual case therefore comes first. A URL without a path means the items without one, and
        /// every path only if there are none.
        var passes: [Pass] {
            guard itemClass == .internetPassword else {
                return [Pass(ignoresCase: false, hasOtherPaths: false)]
            }
            return (isExact ? [false] : [false, true]).flatMap { hasOtherPaths in
                [false, true].map { Pass(ignoresCase: $0, hasOtherPaths: hasOtherPaths) }
            }
        }
        /// Whether all matches have exactly this name.
        var isExact: Bool { itemClass == .genericPassword || attributes.path?.isEmpty == false }
    }

    /// One of the walks that find the matches of a meaning.
    struct Pass {
        let ignoresCase: Bool
        /// Whether items match whose path the name lacks.
        let hasOtherPaths: Bool
    }

    var meanings: [Meaning] {
        let own = Meaning(itemClass: name.itemClass, attributes: name.attributes)
        let other = name.otherAttributes.map {
            Meaning(itemClass: name.otherClass, attributes: $0)
        }
        return [own] + [other].compactMap(\.self)
    }

    private func forEach(
        _ meaning: Meaning, in keychain: Keychain, returns: ReturnOptions,
        _ body: (consuming MatchedItem, ItemAttributes) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var isFound = false
        var isStopped = false
        for pass in meaning.passes where !isStopped {
            guard !pass.hasOtherPaths || !isFound else {
                return
            }
            try forEach(meaning, pass, in: keychain, returns: returns) {
                item, attributes throws(KeychainError) in
                isFound = isFound || !pass.hasOtherPaths
                let step = try body(item, attributes)
                isStopped = step == .stop
                return step
            }
        }
    }

    /// Passes the items that one walk finds to a closure; one that ignores case leaves out those of the other.
    func forEach(
        _ meaning: Meaning, _ pass: Pass, in keychain: Keychain, returns: ReturnOptions,
        _ body: (consuming MatchedItem, ItemAttributes) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.account = meaning.attributes.account
        attributes.service = meaning.attributes.service
        attributes.server = meaning.attributes.server
        attributes.port = meaning.attributes.port
        attributes.isNegative = isForReading ? false : nil
        var query = Query(
            meaning.itemClass, attributes, returns: returns.union([.attributes, .reference]))
        query.synchronizable =
            synchronizable.map { $0 ? .synchronizable : .notSynchronizable } ?? .any
        query.match.limit = .all
        // An account's case is compared later.
        query.match.caseInsensitive = pass.ignoresCase
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            // The first walk handed these over.
            let server = item.attributes?.server ?? ""
            guard !pass.ignoresCase || server != meaning.attributes.server ?? "" else {
                return .next
            }
            return try hand(item, meantBy: meaning, pass, to: body)
        }
    }

    private func hand(
        _ item: consuming MatchedItem, meantBy meaning: Meaning, _ pass: Pass,
        to body: (consuming MatchedItem, ItemAttributes) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) -> WalkControl {
        guard let attributes = item.attributes, isMeant(attributes, by: meaning, pass) else {
            return .next
        }
        if isForReading, group == nil, attributes.accessGroup == .codeGroup {
            return .next
        }
        guard parts.allSatisfy({ $0.value(of: attributes) == $1 }) else {
            return .next
        }
        return try body(item, attributes)
    }

    private func isMeant(
        _ attributes: ItemAttributes, by meaning: Meaning, _ pass: Pass
    ) -> Bool {
        guard meaning.itemClass == .internetPassword else {
            return true
        }
        let wanted = meaning.attributes
        let scheme = attributes.protocol?.shownScheme?.lowercasedASCII
        return (wanted.account == nil || wanted.account == attributes.account ?? "")
            && (group == nil || group == attributes.accessGroup)
            // docker's logins have a scheme only if docker gives one.
            && (scheme == nil || scheme == wanted.protocol?.shownScheme)
            // docker's paths have slashes around them, git's don't.
            && (pass.hasOtherPaths
                || (attributes.path ?? "").trimmingSlashes == wanted.path ?? "")
    }
}
