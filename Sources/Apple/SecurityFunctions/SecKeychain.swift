/// A keychain, by its name in Lanyard's configuration. The C type is SecKeychainRef.
public final class SecKeychain: Sendable {
    /// The keychain's name.
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

extension SecKeychain: Hashable {
    /// Whether both are the same keychain.
    public static func == (left: SecKeychain, right: SecKeychain) -> Bool {
        left.name == right.name
    }

    /// Mixes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a keychain allows, as bits. The C type is SecKeychainStatus.
public typealias SecKeychainStatus = UInt32

/// The keychain is unlocked.
public var kSecUnlockStateStatus: SecKeychainStatus { 1 }
/// The keychain can be read.
public var kSecReadPermStatus: SecKeychainStatus { 2 }
/// The keychain can be written.
public var kSecWritePermStatus: SecKeychainStatus { 4 }
