/// Returns the number of an object's type, 0 for other types.
public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID {
    switch object {
    case is SecCertificate: SecCertificateGetTypeID()
    case is SecKey: SecKeyGetTypeID()
    case is SecIdentity: SecIdentityGetTypeID()
    case is SecTrust: SecTrustGetTypeID()
    case is SecPolicy: SecPolicyGetTypeID()
    case is SecAccessControl: SecAccessControlGetTypeID()
    case is SecKeychain: SecKeychainGetTypeID()
    case is SecKeychainItem: SecKeychainItemGetTypeID()
    case is NSString: CFStringGetTypeID()
    case is NSData: CFDataGetTypeID()
    case is NSDictionary: CFDictionaryGetTypeID()
    case is NSArray: CFArrayGetTypeID()
    case is NSNumber: 13
    case is NSDate: 14
    case is NSNull: 15
    default: 0
    }
}

/// Returns the number of ``SecCertificate``.
public func SecCertificateGetTypeID() -> CFTypeID { 1 }
/// Returns the number of ``SecKey``.
public func SecKeyGetTypeID() -> CFTypeID { 2 }
/// Returns the number of ``SecIdentity``.
public func SecIdentityGetTypeID() -> CFTypeID { 3 }
/// Returns the number of ``SecTrust``.
public func SecTrustGetTypeID() -> CFTypeID { 4 }
/// Returns the number of ``SecPolicy``.
public func SecPolicyGetTypeID() -> CFTypeID { 5 }
/// Returns the number of ``SecAccessControl``.
public func SecAccessControlGetTypeID() -> CFTypeID { 6 }
/// Returns the number of a SecKeychain.
public func SecKeychainGetTypeID() -> CFTypeID { 7 }
/// Returns the number of a SecKeychainItem.
public func SecKeychainItemGetTypeID() -> CFTypeID { 8 }
/// Returns the number of texts.
public func CFStringGetTypeID() -> CFTypeID { 9 }
/// Returns the number of data.
public func CFDataGetTypeID() -> CFTypeID { 10 }
/// Returns the number of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { 11 }
/// Returns the number of arrays.
public func CFArrayGetTypeID() -> CFTypeID { 12 }
