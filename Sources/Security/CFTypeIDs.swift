/// The numbers of the types that code for Keychain Services tells apart.
private enum TypeID {
    static let certificate: CFTypeID = 1
    static let key: CFTypeID = 2
    static let identity: CFTypeID = 3
    static let trust: CFTypeID = 4
    static let policy: CFTypeID = 5
    static let accessControl: CFTypeID = 6
    static let keychain: CFTypeID = 7
    static let keychainItem: CFTypeID = 8
    static let string: CFTypeID = 9
    static let data: CFTypeID = 10
    static let dictionary: CFTypeID = 11
    static let array: CFTypeID = 12
    static let number: CFTypeID = 13
    static let date: CFTypeID = 14
    static let null: CFTypeID = 15
}

/// Returns the number of an object's type, 0 for other types.
public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID {
    switch object {
    case is SecCertificate: TypeID.certificate
    case is SecKey: TypeID.key
    case is SecIdentity: TypeID.identity
    case is SecTrust: TypeID.trust
    case is SecPolicy: TypeID.policy
    case is SecAccessControl: TypeID.accessControl
    case is SecKeychain: TypeID.keychain
    case is SecKeychainItem: TypeID.keychainItem
    case is NSString: TypeID.string
    case is NSData: TypeID.data
    case is NSDictionary: TypeID.dictionary
    case is NSArray: TypeID.array
    case is NSNumber: TypeID.number
    case is NSDate: TypeID.date
    case is NSNull: TypeID.null
    default: 0
    }
}

/// Returns the number of ``SecCertificate``.
public func SecCertificateGetTypeID() -> CFTypeID { TypeID.certificate }
/// Returns the number of ``SecKey``.
public func SecKeyGetTypeID() -> CFTypeID { TypeID.key }
/// Returns the number of ``SecIdentity``.
public func SecIdentityGetTypeID() -> CFTypeID { TypeID.identity }
/// Returns the number of ``SecTrust``.
public func SecTrustGetTypeID() -> CFTypeID { TypeID.trust }
/// Returns the number of ``SecPolicy``.
public func SecPolicyGetTypeID() -> CFTypeID { TypeID.policy }
/// Returns the number of ``SecAccessControl``.
public func SecAccessControlGetTypeID() -> CFTypeID { TypeID.accessControl }
/// Returns the number of a SecKeychain.
public func SecKeychainGetTypeID() -> CFTypeID { TypeID.keychain }
/// Returns the number of a SecKeychainItem.
public func SecKeychainItemGetTypeID() -> CFTypeID { TypeID.keychainItem }
/// Returns the number of texts.
public func CFStringGetTypeID() -> CFTypeID { TypeID.string }
/// Returns the number of data.
public func CFDataGetTypeID() -> CFTypeID { TypeID.data }
/// Returns the number of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeID.dictionary }
/// Returns the number of arrays.
public func CFArrayGetTypeID() -> CFTypeID { TypeID.array }
