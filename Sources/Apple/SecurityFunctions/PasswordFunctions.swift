package import KeychainServices

/// Adds a password for a service.
///
/// - Parameters:
///   - keychain: Nil for the default keychain.
///   - itemRef: Where to write a reference to the item, or nil.
/// - Returns: errSecDuplicateItem if the service's account has a password.
@discardableResult
public func SecKeychainAddGenericPassword(
    _ keychain: SecKeychain?,
    _ serviceNameLength: UInt32, _ serviceName: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?,
    _ passwordLength: UInt32, _ passwordData: UnsafeRawPointer?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> Int32 {
    // Safe: the caller's memory, with the sizes that the caller gives.
    status { () throws(KeychainError) in
        var attributes = ItemAttributes()
        attributes.service = unsafe ByteString(serviceNameLength, serviceName) ?? ""
        attributes.account = unsafe ByteString(accountNameLength, accountName) ?? ""
        attributes.label = attributes.service
        let password = unsafe Secret(passwordLength, passwordData)
        let item = try add(.genericPassword, attributes, password, to: keychain)
        unsafe itemRef?.pointee = item
    }
}

/// Finds the oldest password of a service, in the first keychain with one.
///
/// - Parameters:
///   - keychainOrArray: A SecKeychain, an array of them, or nil for the search list.
///   - serviceName: Nil for any, as with the account's name.
///   - passwordData: Where to write the password's address, or nil. Release it with
///     ``SecKeychainItemFreeContent(_:_:)``, which wipes it.
/// - Returns: errSecItemNotFound if nothing matches.
@discardableResult
public func SecKeychainFindGenericPassword(
    _ keychainOrArray: AnyObject?,
    _ serviceNameLength: UInt32, _ serviceName: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?,
    _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> Int32 {
    // Safe: the caller's memory, with the sizes that the caller gives.
    status { () throws(KeychainError) in
        var attributes = ItemAttributes()
        attributes.service = unsafe ByteString(serviceNameLength, serviceName)
        attributes.account = unsafe ByteString(accountNameLength, accountName)
        let returns: ReturnOptions = unsafe passwordData == nil ? [] : .data
        let found = try FoundItem(
            Query(.genericPassword, attributes, returns: returns),
            in: SecKeychain.names(keychainOrArray))
        unsafe found.write(passwordLength, passwordData, itemRef)
    }
}

/// Adds a password for a server.
///
/// - Parameters:
///   - keychain: Nil for the default keychain.
///   - port: 0 for none.
///   - itemRef: Where to write a reference to the item, or nil.
/// - Returns: errSecDuplicateItem if the same login has a password.
@discardableResult
public func SecKeychainAddInternetPassword(
    _ keychain: SecKeychain?,
    _ serverNameLength: UInt32, _ serverName: UnsafePointer<CChar>?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?,
    _ pathLength: UInt32, _ path: UnsafePointer<CChar>?,
    _ port: UInt16, _ protocol: SecProtocolType, _ authenticationType: SecAuthenticationType,
    _ passwordLength: UInt32, _ passwordData: UnsafeRawPointer?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> Int32 {
    // Safe: the caller's memory, with the sizes that the caller gives.
    status { () throws(KeychainError) in
        var attributes = ItemAttributes(port, `protocol`, authenticationType)
        attributes.server = unsafe ByteString(serverNameLength, serverName) ?? ""
        attributes.securityDomain = unsafe ByteString(securityDomainLength, securityDomain)
        attributes.account = unsafe ByteString(accountNameLength, accountName) ?? ""
        attributes.path = unsafe ByteString(pathLength, path)
        attributes.label = attributes.server
        let password = unsafe Secret(passwordLength, passwordData)
        let item = try add(.internetPassword, attributes, password, to: keychain)
        unsafe itemRef?.pointee = item
    }
}

/// Finds the oldest password of a server, in the first keychain with one.
///
/// - Parameters:
///   - keychainOrArray: A SecKeychain, an array of them, or nil for the search list.
///   - serverName: Nil for any, as with the other texts.
///   - port: 0 for any, as with protocol and authentication type.
///   - passwordData: Where to write the password's address, or nil. Release it with
///     ``SecKeychainItemFreeContent(_:_:)``, which wipes it.
/// - Returns: errSecItemNotFound if nothing matches.
@discardableResult
public func SecKeychainFindInternetPassword(
    _ keychainOrArray: AnyObject?,
    _ serverNameLength: UInt32, _ serverName: UnsafePointer<CChar>?,
    _ securityDomainLength: UInt32, _ securityDomain: UnsafePointer<CChar>?,
    _ accountNameLength: UInt32, _ accountName: UnsafePointer<CChar>?,
    _ pathLength: UInt32, _ path: UnsafePointer<CChar>?,
    _ port: UInt16, _ protocol: SecProtocolType, _ authenticationType: SecAuthenticationType,
    _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ passwordData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> Int32 {
    // Safe: the caller's memory, with the sizes that the caller gives.
    status { () throws(KeychainError) in
        var attributes = ItemAttributes(port, `protocol`, authenticationType)
        attributes.server = unsafe ByteString(serverNameLength, serverName)
        attributes.securityDomain = unsafe ByteString(securityDomainLength, securityDomain)
        attributes.account = unsafe ByteString(accountNameLength, accountName)
        attributes.path = unsafe ByteString(pathLength, path)
        let returns: ReturnOptions = unsafe passwordData == nil ? [] : .data
        let found = try FoundItem(
            Query(.internetPassword, attributes, returns: returns),
            in: SecKeychain.names(keychainOrArray))
        unsafe found.write(passwordLength, passwordData, itemRef)
    }
}

private func add(
    _ itemClass: ItemClass, _ attributes: ItemAttributes, _ password: borrowing Secret,
    to keychain: SecKeychain?
) throws(KeychainError) -> SecKeychainItem {
    let secret = password.copy()
    return try ProgramKeychains.withKeychain(keychain?.name) { open throws(KeychainError) in
        guard
            let added = try open.add(itemClass, attributes, secret: secret, returns: .reference),
            let reference = added.reference
        else {
            throw KeychainError(.itemNotFound)
        }
        return SecKeychainItem(reference, keychain: keychain?.name)
    }
}

extension SecKeychain {
    /// Returns the names of the keychains that a caller wants searched, in order; nil for those of
    /// the search list.
    ///
    /// - Throws: ``Status/param`` for anything but a keychain, an array of keychains and nil.
    package static func names(_ keychainOrArray: AnyObject?) throws(KeychainError) -> [String?] {
        switch keychainOrArray {
        case nil: return [nil]
        case let keychain as SecKeychain: return [keychain.name]
        case let keychains as [SecKeychain]: return keychains.map(\.name)
        default: throw KeychainError(.param)
        }
    }
}

extension ItemAttributes {
    /// Creates the parts of a login that are numbers, of which 0 means none.
    fileprivate init(
        _ port: UInt16, _ protocol: SecProtocolType, _ authenticationType: SecAuthenticationType
    ) {
        self.init()
        if port != 0 {
            self.port = port
        }
        if `protocol` != .any {
            self.protocol = ProtocolType(
                rawValue: FourCharacterCode(rawValue: `protocol`.rawValue).text)
        }
        if authenticationType != .any {
            self.authenticationType = AuthenticationType(
                rawValue: FourCharacterCode(rawValue: authenticationType.rawValue))
        }
    }
}

extension ByteString {
    /// Creates a text from a caller's memory, nil without one or if it is empty.
    @unsafe  // Safe: callers pass memory as they got it.
    fileprivate init?(_ length: UInt32, _ bytes: UnsafePointer<CChar>?) {
        // Safe: the memory of a caller, with the size that the caller gives.
        guard let bytes = unsafe bytes, length > 0 else {
            return nil
        }
        // Safe: the caller says how long it is, and it is copied.
        let raw = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(length))
        unsafe self.init(Array(raw))
    }
}
