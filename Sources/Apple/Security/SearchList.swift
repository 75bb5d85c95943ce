internal import KeychainServices
internal import SecurityFunctions

/// Writes the keychains that programs search, in their order: an array of SecKeychain.
@discardableResult
public func SecKeychainCopySearchList(
    _ searchList: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    status { () throws(KeychainError) in
        let list = NSArray(array: try SecKeychain.userSearchList())
        // Safe: the caller's memory.
        unsafe searchList.pointee = list
    }
}

/// Chooses the keychains that programs search, for every program of the user.
///
/// - Parameter searchList: An array of SecKeychain; an empty one restores the default list.
/// - Returns: errSecSuccess; errSecNoSuchKeychain; errSecParam for other objects.
@discardableResult
public func SecKeychainSetSearchList(_ searchList: CFArray) -> OSStatus {
    status { () throws(KeychainError) in
        guard let keychains = searchList as? [SecKeychain] else {
            throw KeychainError(.param)
        }
        try SecKeychain.setUserSearchList(keychains)
    }
}
