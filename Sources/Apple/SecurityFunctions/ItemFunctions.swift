internal import KeychainServices

/// Changes an item's attributes, its password or both.
///
/// - Parameters:
///   - attrList: The attributes to set, nil for none. Dates can't be set.
///   - data: The new password, nil to leave it.
/// - Returns: errSecDuplicateItem if another item has the new identity; errSecNoSuchAttr for an
///   attribute that the item's class lacks.
@discardableResult
public func SecKeychainItemModifyAttributesAndData(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?,
    _ length: UInt32, _ data: UnsafeRawPointer?
) -> Int32 {
    // Safe: the caller's memory, with the sizes that the caller gives.
    status { () throws(KeychainError) in
        var changes = ItemAttributes()
        for place in 0..<(unsafe Int(attrList?.pointee.count ?? 0)) {
            let attribute = try unsafe attrList?.pointee.attr?[place].value()
            if let attribute {
                changes[attribute.name] = attribute.value
            }
        }
        let hasData = unsafe data != nil
        let secret = unsafe Secret(length, data)
        guard hasData || changes != ItemAttributes() else {
            return
        }
        try ProgramKeychains.withKeychain(itemRef.keychain) { keychain throws(KeychainError) in
            let query = Query(itemRef.reference)
            if hasData {
                try keychain.update(query, changes, secret: secret.copy())
            } else {
                try keychain.update(query, changes)
            }
        }
    }
}

/// Changes an item, as ``SecKeychainItemModifyAttributesAndData(_:_:_:_:)`` does.
@discardableResult
public func SecKeychainItemModifyContent(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?,
    _ length: UInt32, _ data: UnsafeRawPointer?
) -> Int32 {
    // Safe: the caller's memory, as there.
    unsafe SecKeychainItemModifyAttributesAndData(itemRef, attrList, length, data)
}

/// Returns an item's class, some of its attributes and its password.
///
/// - Parameters:
///   - itemClass: Where to write the class's code, or nil.
///   - attrList: The attributes to return, by their tags; nil for none. One that the item lacks
///     has the length 0.
///   - outData: Where to write the password's address, or nil. Release it and the attributes with
///     ``SecKeychainItemFreeContent(_:_:)``.
@discardableResult
public func SecKeychainItemCopyContent(
    _ itemRef: SecKeychainItem, _ itemClass: UnsafeMutablePointer<SecItemClass>?,
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?,
    _ length: UnsafeMutablePointer<UInt32>?,
    _ outData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    // Safe: the caller's memory, with the sizes that the caller gives.
    status { () throws(KeychainError) in
        var returns: ReturnOptions = .attributes
        if unsafe outData != nil {
            returns.insert(.data)
        }
        let content = try ItemAnswer(itemRef, returns)
        try unsafe content.write(to: attrList)
        unsafe itemClass?.pointee = SecItemClass(
            rawValue: itemRef.reference.itemClass.rawValue.rawValue)
        unsafe content.secret?.give(length, outData)
    }
}

/// What is read of an item.
private struct ItemAnswer {
    let attributes: ItemAttributes
    let secret: SecretMemory?

    init(_ item: SecKeychainItem, _ returns: ReturnOptions) throws(KeychainError) {
        self = try ProgramKeychains.withKeychain(item.keychain) { keychain throws(KeychainError) in
            let query = Query(item.reference, returns: returns)
            guard let found = try keychain.firstMatch(of: query) else {
                throw KeychainError(.itemNotFound)
            }
            let secret: SecretMemory?
            switch found.secret {
            case .some(let bytes): secret = try SecretMemory(bytes)
            case .none: secret = nil
            }
            return ItemAnswer(found.attributes ?? ItemAttributes(), secret)
        }
    }

    private init(_ attributes: ItemAttributes, _ secret: SecretMemory?) {
        self.attributes = attributes
        self.secret = secret
    }

    /// Writes the attributes that the list names, in memory of their own.
    @unsafe  // Safe: callers pass memory as they got it.
    func write(
        to list: UnsafeMutablePointer<SecKeychainAttributeList>?
    ) throws(KeychainError) {
        // Safe: the caller's list, with its own count.
        guard let list = unsafe list, let first = unsafe list.pointee.attr else {
            return
        }
        var written: [(length: UInt32, memory: SecretMemory?)] = []
        for place in 0..<(unsafe Int(list.pointee.count)) {
            let name = try unsafe Attribute(tag: first[place].tag)
            let bytes = attributes[name]?.attributeBytes(name.form)
            let memory = try bytes.map { bytes throws(KeychainError) in
                try SecretMemory(Secret(copying: bytes.span))
            }
            written.append((UInt32(bytes?.count ?? 0), memory))
        }
        for (place, part) in written.enumerated() {
            unsafe first[place].length = part.length
            unsafe first[place].data = nil
            unsafe part.memory?.give(nil, &first[place].data)
        }
    }
}

/// Wipes and frees the attributes and the password that a function returned.
@discardableResult
public func SecKeychainItemFreeContent(
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    // Safe: memory that a function of this module gave to the caller.
    if let list = unsafe attrList, let first = unsafe list.pointee.attr {
        for place in 0..<(unsafe Int(list.pointee.count)) {
            unsafe SecretMemory.free(first[place].data)
            unsafe first[place].data = nil
            unsafe first[place].length = 0
        }
    }
    unsafe SecretMemory.free(data)
    return Status.success.rawValue
}

/// Deletes an item.
@discardableResult
public func SecKeychainItemDelete(_ itemRef: SecKeychainItem) -> Int32 {
    status { () throws(KeychainError) in
        try ProgramKeychains.withKeychain(itemRef.keychain) { keychain throws(KeychainError) in
            try keychain.delete(Query(itemRef.reference))
        }
    }
}
