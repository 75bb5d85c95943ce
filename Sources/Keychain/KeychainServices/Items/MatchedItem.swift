/// The requested parts of a matching item; the others are nil.
///
/// Frozen because code in other modules can then move the secret out of it without a copy.
@frozen public struct MatchedItem: ~Copyable, Sendable {
    /// The item's class: kSecClass.
    public let itemClass: ItemClass
    /// The attributes, if requested.
    public let attributes: ItemAttributes?
    /// The secret, if requested: kSecValueData.
    public let secret: Secret?
    /// A reference, if requested: kSecValueRef.
    public let reference: ItemReference?
    /// A persistent reference, if requested: kSecValuePersistentRef.
    public let persistentReference: PersistentReference?

    /// Creates what a store returns of an item, reduced to what the query requested.
    public init(
        _ reference: ItemReference, _ attributes: ItemAttributes, secret: consuming Secret?,
        returns: ReturnOptions
    ) {
        itemClass = reference.itemClass
        self.attributes = returns.contains(.attributes) ? attributes : nil
        // A secret that was not requested is wiped now.
        self.secret = returns.isDisjoint(with: [.data, .readableData]) ? nil : secret
        self.reference = returns.contains(.reference) ? reference : nil
        persistentReference =
            returns.contains(.persistentReference) ? reference.persistentReference : nil
    }
}

extension MatchedItem {
    /// Returns whether it has a secret, which is equal to another one.
    package borrowing func has(_ other: borrowing Secret) -> Bool {
        switch secret {
        case .some(let secret): secret.isEqual(to: other)
        case .none: false
        }
    }

    /// Returns the item reduced to what a query requested.
    consuming func returning(_ returns: ReturnOptions) -> MatchedItem {
        let data = returns.isDisjoint(with: [.data, .readableData]) ? nil : secret
        return MatchedItem(itemClass, attributes, data, reference, persistentReference)
    }

    private init(
        _ itemClass: ItemClass, _ attributes: ItemAttributes?, _ secret: consuming Secret?,
        _ reference: ItemReference?, _ persistentReference: PersistentReference?
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.secret = secret
        self.reference = reference
        self.persistentReference = persistentReference
    }
}

/// The result of copy matching.
public enum MatchResult: ~Copyable, Sendable {
    /// An item matches; the query requested nothing of it.
    case exists
    /// The one item that a query with the limit one returns.
    case item(MatchedItem)
    /// The items that a query with any other limit returns, even if there is just one.
    case items(MatchedItems)
}

/// The matched items in order, most recently added or changed first.
@safe  // Safe: the memory is its own, and freed in `deinit` alone.
@frozen public struct MatchedItems: ~Copyable, @unchecked Sendable {
    // Only `append` writes it, which needs exclusive access.
    private var memory: UnsafeMutableBufferPointer<MatchedItem>
    /// The number of items.
    public private(set) var count = 0

    init() {
        // Safe: freed in `deinit`, or when `append` replaces it.
        unsafe memory = .allocate(capacity: 4)
    }

    deinit {
        // Safe: exactly the first `count` elements are initialized.
        unsafe memory.extracting(..<count).deinitialize()
        unsafe memory.deallocate()
    }

    mutating func append(_ item: consuming MatchedItem) {
        // Safe: the memory is full, so all of it is initialized; the elements move to the larger
        // buffer.
        if unsafe count == memory.count {
            let larger = UnsafeMutableBufferPointer<MatchedItem>.allocate(capacity: count * 2)
            _ = unsafe larger.moveInitialize(fromContentsOf: memory)
            unsafe memory.deallocate()
            unsafe memory = larger
        }
        // Safe: there is room, and this element is uninitialized.
        unsafe memory.initializeElement(at: count, to: item)
        count += 1
    }

    /// The positions of the items.
    public var indices: Range<Int> { 0..<count }

    /// Returns the item at a position.
    public subscript(position: Int) -> MatchedItem {
        _read {
            precondition(indices.contains(position), "there is no item at this position")
            // Safe: the position was checked.
            yield unsafe memory[position]
        }
    }
}
