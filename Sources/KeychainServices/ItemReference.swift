/// The 16 random bytes that name an item in its keychain from its adding to its deletion.
public struct ItemID: Hashable, Sendable {
    /// The first eight bytes as a number, the most significant first.
    package let high: UInt64
    /// The last eight bytes as a number, the most significant first.
    package let low: UInt64

    /// Exactly 16 bytes.
    public var bytes: [UInt8] {
        [UInt8](room: 16) { bytes in
            bytes.append(bigEndian: high)
            bytes.append(bigEndian: low)
        }
    }

    /// The id of these bytes, nil if they are not 16.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else {
            return nil
        }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The id of these numbers.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new id from the system's random numbers.
    public static func random() -> ItemID {
        var generator = SystemRandomNumberGenerator()
        return ItemID(high: generator.next(), low: generator.next())
    }
}

extension ItemID: Comparable {
    /// Whether the bytes of one come before those of the other.
    public static func < (left: ItemID, right: ItemID) -> Bool {
        left.high < right.high || left.high == right.high && left.low < right.low
    }
}

/// An item of an open keychain. The corresponding type is SecKeychainItem.
public struct ItemReference: Hashable, Sendable {
    /// The item's class.
    public let itemClass: ItemClass
    /// The item's id.
    public let id: ItemID

    /// A reference to the item of a class with an id.
    public init(itemClass: ItemClass, id: ItemID) {
        self.itemClass = itemClass
        self.id = id
    }

    /// The reference in the form that can be kept outside the program.
    public var persistentReference: PersistentReference { PersistentReference(self) }
}

/// A reference to an item in the form that can be written down and used later, also by another
/// program: 20 bytes, the class's code and the item's id.
///
/// The corresponding key is kSecValuePersistentRef.
public struct PersistentReference: Hashable, Sendable {
    /// Exactly 20 bytes.
    public let bytes: [UInt8]

    /// The persistent form of a reference.
    public init(_ reference: ItemReference) {
        bytes = reference.itemClass.rawValue.text.bytes + reference.id.bytes
    }

    /// The persistent reference of these bytes, nil if they are not 20.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 20 else {
            return nil
        }
        self.bytes = bytes
    }

    /// The item that is referred to.
    public var reference: ItemReference {
        ItemReference(
            itemClass: ItemClass(rawValue: FourCharacterCode(ByteString(Array(bytes[..<4])))!),
            id: ItemID(Array(bytes[4...]))!)
    }
}
