package import KeychainServices

/// A password in a keychain. The C type is SecKeychainItemRef.
public final class SecKeychainItem: Sendable {
    /// The item's class and id.
    package let reference: ItemReference
    /// The name of the item's keychain, nil for one of the search list.
    package let keychain: String?

    package init(_ reference: ItemReference, keychain: String?) {
        self.reference = reference
        self.keychain = keychain
    }
}

extension SecKeychainItem: Hashable {
    /// Whether both are references to the same item.
    public static func == (left: SecKeychainItem, right: SecKeychainItem) -> Bool {
        left.reference == right.reference
    }

    /// Mixes the item's id.
    public func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}

/// An attribute of an item as bytes, for example an account. The C type is SecKeychainAttribute.
@unsafe  // Safe: refers to its creator's memory, and says so.
public struct SecKeychainAttribute {
    /// The attribute's four-character code: kSecAccountItemAttr.
    public var tag: UInt32
    /// The number of bytes.
    public var length: UInt32
    /// The bytes: text, or a number in the machine's byte order. A date is `YYYYMMDDhhmmssZ` and a NUL.
    public var data: UnsafeMutableRawPointer?

    /// Creates an attribute of these bytes, which it refers to.
    public init(tag: UInt32, length: UInt32, data: UnsafeMutableRawPointer?) {
        // Safe: the memory of a caller, with the size that the caller gives.
        unsafe self.tag = tag
        unsafe self.length = length
        unsafe self.data = data
    }
}

/// Attributes of an item. The C type is SecKeychainAttributeList.
@unsafe  // Safe: refers to its creator's memory, and says so.
public struct SecKeychainAttributeList {
    /// The number of attributes.
    public var count: UInt32
    /// The attributes.
    public var attr: UnsafeMutablePointer<SecKeychainAttribute>?

    /// Creates a list of these attributes, which it refers to.
    public init(count: UInt32, attr: UnsafeMutablePointer<SecKeychainAttribute>?) {
        // Safe: the memory of a caller, with the size that the caller gives.
        unsafe self.count = count
        unsafe self.attr = attr
    }
}
