internal import KeychainServices

/// A use of an item that is to be logged.
///
/// It is a class because its optional type then takes no time at the start of a program.
final class ItemUse {
    let action: LoggedUse.Action
    let itemClass: ItemClass
    let attributes: ItemAttributes
    /// The program that asked for it, nil if this program did.
    let requester: RequestingProgram?
    /// Whether the same call uses more items, which are not logged.
    fileprivate(set) var hasMore = false

    init(
        _ action: LoggedUse.Action, _ itemClass: ItemClass, _ attributes: ItemAttributes,
        _ context: AuthenticationContext?
    ) {
        self.action = action
        self.itemClass = itemClass
        self.attributes = attributes
        requester = context?.requester
    }

    /// The item's name in the log.
    var name: ByteString {
        switch itemClass {
        case .internetPassword: attributes.server ?? ""
        case .genericPassword: attributes.service ?? ""
        default: attributes.label ?? ""
        }
    }

    /// Whether an item has no secret: a certificate, or a public key.
    var isPublic: Bool { itemClass == .certificate || attributes.keyClass == .public }
}

/// The uses of one call or transaction: the first hundred, and whether there are more. A call that uses
/// every item would otherwise leave no room in the log for others.
struct ItemUses {
    private(set) var uses: [ItemUse] = []

    private static let limit = 100

    /// Adds a use that is to be logged.
    ///
    /// - Returns: What to log, nil for one use too many.
    @discardableResult
    mutating func add(_ use: ItemUse) -> ItemUse? {
        guard !use.isPublic, uses.count <= ItemUses.limit else {
            return nil
        }
        use.hasMore = uses.count == ItemUses.limit
        uses.append(use)
        return use
    }

    /// Removes the last uses, which did not happen.
    mutating func keep(_ count: Int) {
        uses.removeLast(max(0, uses.count - count))
    }
}
