internal import KeychainServices

/// The oldest item that a query matches, in the first keychain with one.
struct FoundItem: ~Copyable {
    private let secret: SecretMemory?
    private let item: SecKeychainItem

    /// - Parameter keychains: The names of the keychains to search; nil for the search list's.
    /// - Throws: ``Status/itemNotFound``; what reading throws.
    init(_ query: Query, in keychains: [String?]) throws(KeychainError) {
        for name in keychains {
            let found = try ProgramKeychains.withKeychain(name) { keychain throws(KeychainError) in
                try FoundItem.find(query, in: keychain)
            }
            if let found {
                secret = found.secret
                item = SecKeychainItem(found.reference, keychain: name)
                return
            }
        }
        throw KeychainError(.itemNotFound)
    }

    private struct Match {
        let reference: ItemReference
        let secret: SecretMemory?
    }

    private static func find(
        _ query: Query, in keychain: Keychain
    ) throws(KeychainError) -> Match? {
        guard let reference = try keychain.references(matching: query, limit: 1).first else {
            return nil
        }
        guard query.returns.contains(.data) else {
            return Match(reference: reference, secret: nil)
        }
        guard let item = try keychain.firstMatch(of: Query(reference, returns: .data)) else {
            return nil
        }
        switch item.secret {
        case .some(let secret):
            return Match(reference: reference, secret: try SecretMemory(secret))
        case .none: return nil
        }
    }

    /// Writes what the caller wants to know.
    @unsafe  // Safe: callers pass memory as they got it.
    consuming func write(
        _ length: UnsafeMutablePointer<UInt32>?,
        _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
    ) {
        // Safe: the caller's memory; the secret's is the caller's from now on.
        unsafe secret?.give(length, data)
        unsafe itemRef?.pointee = item
    }
}
