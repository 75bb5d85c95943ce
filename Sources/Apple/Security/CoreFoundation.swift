// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

@_exported public import Foundation
@_exported public import SecurityFunctions

// The names of Core Foundation that code for Keychain Services uses, as Foundation's classes: those bridge
// to Swift's types with `as`, as on Apple's systems.

/// Any object: Swift's AnyObject.
public typealias CFTypeRef = AnyObject
/// Text.
public typealias CFString = NSString
/// Bytes.
public typealias CFData = NSData
/// Keys with values.
public typealias CFDictionary = NSDictionary
/// Keys with values, which can change.
public typealias CFMutableDictionary = NSMutableDictionary
/// Values in order.
public typealias CFArray = NSArray
/// A number.
public typealias CFNumber = NSNumber
/// A truth value.
public typealias CFBoolean = NSNumber
/// A moment.
public typealias CFDate = NSDate
/// Nothing, in a dictionary.
public typealias CFNull = NSNull
/// A number for a type.
public typealias CFTypeID = UInt
/// A hash.
public typealias CFHashCode = UInt
/// An error.
public typealias CFError = NSError
/// What allocates memory; here nothing but nil.
public typealias CFAllocator = AnyObject
/// A count or a position.
public typealias CFIndex = Int
/// Bits.
public typealias CFOptionFlags = UInt
/// A status of Keychain Services.
public typealias OSStatus = Int32
/// A four-character code.
public typealias OSType = UInt32
/// A four-character code.
public typealias FourCharCode = UInt32
/// A truth value of C.
public typealias DarwinBoolean = Bool
/// An attribute's four-character code.
public typealias SecKeychainAttrType = OSType

// On Apple's systems the keys of a dictionary of AnyHashable are equal to both.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// Makes an AnyHashable of a CFString equal to that of the same String.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}

/// True.
public var kCFBooleanTrue: CFBoolean! { NSNumber(value: true) }
/// False.
public var kCFBooleanFalse: CFBoolean! { NSNumber(value: false) }
/// Nothing, in a dictionary: now, as the value of ``kSecMatchValidOnDate``.
public var kCFNull: CFNull! { NSNull() }
/// The usual allocator.
public var kCFAllocatorDefault: CFAllocator? { nil }
/// The key of a program's identifier in its Info.plist.
public var kCFBundleIdentifierKey: CFString! { "CFBundleIdentifier" }
/// No error.
public var noErr: OSStatus { 0 }

/// Returns an error's domain.
public func CFErrorGetDomain(_ error: CFError) -> CFString { NSString(string: error.domain) }

/// Returns an error's code.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// Returns an error's details.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! {
    NSDictionary(dictionary: error.userInfo)
}

/// Returns an error's text.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! {
    NSString(string: error.localizedDescription)
}

/// Returns whether two objects are equal.
public func CFEqual(_ first: CFTypeRef?, _ second: CFTypeRef?) -> Bool {
    if let first = first as? NSObject {
        return first.isEqual(second)
    }
    // Keychains and items are objects of Swift's own.
    if let first = first as? AnyHashable {
        return first == second as? AnyHashable
    }
    return first === second
}

/// Returns a number that equal objects share.
public func CFHash(_ object: CFTypeRef?) -> CFHashCode {
    let hash = (object as? NSObject)?.hash ?? (object as? AnyHashable)?.hashValue
    return CFHashCode(bitPattern: hash ?? 0)
}
