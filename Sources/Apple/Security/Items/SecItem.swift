internal import KeychainServices
internal import SecurityFunctions

/// Adds an item.
///
/// - Parameters:
///   - attributes: The item's class, attributes and value, and what to return.
///   - result: Where to write what ``kSecReturnAttributes`` and the like ask for, or nil.
/// - Returns: errSecSuccess; errSecDuplicateItem if an item with this identity exists;
///   errSecMissingEntitlement for an access group that the program may not use; errSecParam for a key or a
///   value that is not one of Keychain Services; errSecUnimplemented for one that Lanyard can't do.
@discardableResult
public func SecItemAdd(
    _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    status { () throws(KeychainError) in
        let request = try ItemRequest(attributes, .addition)
        let added = try request.add()
        // Safe: the caller's memory.
        unsafe result?.pointee = added
    }
}

/// Finds items.
///
/// - Parameters:
///   - query: The items' class and attributes, how many to find, and what to return of them. Without
///     anything to return the status says whether there is one.
///   - result: Where to write the results, or nil: an array with any limit but one, the oldest item first; those of several
///     keychains in the order of these.
/// - Returns: errSecSuccess; errSecItemNotFound if nothing matches; errSecInteractionNotAllowed if a secret
///   is locked and the user can't be asked; otherwise as SecItemAdd.
@discardableResult
public func SecItemCopyMatching(
    _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    status { () throws(KeychainError) in
        let found = try ItemRequest(query, .search).copyMatching()
        // Safe: the caller's memory.
        unsafe result?.pointee = found
    }
}

/// Changes all items that match a query.
///
/// - Parameters:
///   - query: The items' class and attributes.
///   - attributesToUpdate: The attributes to set, and the new value.
/// - Returns: As ``SecItemCopyMatching(_:_:)``; errSecDuplicateItem if an item would take another one's
///   identity.
@discardableResult
public func SecItemUpdate(
    _ query: CFDictionary, _ attributesToUpdate: CFDictionary
) -> OSStatus {
    status { () throws(KeychainError) in
        let request = try ItemRequest(query, .change)
        try request.update(
            try ItemRequest(attributesToUpdate, .newValues, queryClass: request.selectedClass))
    }
}

/// Deletes all items that match a query.
///
/// - Returns: As ``SecItemCopyMatching(_:_:)``.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    status { () throws(KeychainError) in
        try ItemRequest(query, .change).delete()
    }
}
