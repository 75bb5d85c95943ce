import KeychainServices

@testable import SealedStore

/// What was opened of an entry in the kernel's keyring: every key that it says it holds lies in it.
enum KeyCacheTarget: FuzzTarget {
    static let name = "key-cache"

    private static let wrapped: WrappedClassKey? = {
        var bytes = ByteWriter()
        bytes.number(ProtectionClass.secrets(.whenUnlocked).number)
        bytes.number(UInt32(1))
        bytes.raw([UInt8](repeating: 7, count: 32))
        bytes.number(UInt16(0))
        var reader = ByteReader(bytes.bytes)
        return attempt { () throws(KeychainError) in
            try WrappedClassKey(from: &reader, sourceCount: 0)
        }
    }()

    static func run(_ input: [UInt8]) {
        guard let wrapped else {
            fail("a class key without wrappings is none")
        }
        let entry = attempt { () throws(KeychainError) in
            try KeyCacheEntry(Secret(copying: input.span))
        }
        guard let entry else {
            return
        }
        check(entry.keybagDigest.count == 32, "a digest does not have 32 bytes")
        let key = attempt { () throws(KeychainError) in
            try entry.key(wrapped, keychainID: [UInt8](repeating: 1, count: 16)) != nil
        }
        check(key != true, "a key was found that has another digest")
    }
}
