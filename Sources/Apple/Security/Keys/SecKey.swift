internal import LanyardCertificates
internal import KeychainServices
internal import SecurityFunctions

/// A key. The C type is SecKeyRef.
///
/// A private key of a keychain is not in memory: each use reads it, which asks the user if the item has an access
/// control, and wipes it afterwards. Once the item is deleted or locked, uses fail. A private key that was
/// generated or imported without a keychain is in memory until its last reference ends, and is wiped then.
public final class SecKey: NSObject, Sendable {
    /// Where the key is.
    enum Material: Sendable {
        case privateKey(PrivateKey)
        case publicKey(PublicKey)
        case stored(Stored)
    }

    /// A key in a keychain.
    struct Stored: Sendable {
        let item: SecKeychainItem
        let attributes: ItemAttributes
        /// What the program supplied when it found the key.
        let access: KeyAccess
        /// The public key, if it is known.
        let publicKey: PublicKey?
    }

    let material: Material

    init(_ material: Material) {
        self.material = material
    }

    /// The key in its keychain, nil for one in memory.
    var stored: Stored? {
        if case .stored(let stored) = material { stored } else { nil }
    }

    /// What the key says of itself, and for one in a keychain the attributes of its item.
    var attributes: ItemAttributes {
        switch material {
        case .privateKey(let key): key.attributes
        case .publicKey(let key): key.attributes
        case .stored(let stored): stored.attributes
        }
    }

    /// The type of key; nil for symmetric keys and types that only a keychain can store.
    var type: AsymmetricKeyType? {
        let attributes = attributes
        guard attributes.keyClass == .private || attributes.keyClass == .public else {
            return nil
        }
        return attributes.keyType.flatMap { AsymmetricKeyType(rawValue: $0.rawValue) }
    }

    /// Whether another object is the same key: of the same class, type and application label; without a label the
    /// same item.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey, other.fingerprint == fingerprint else {
            return false
        }
        let hasLabel = fingerprint.applicationLabel?.isEmpty == false
        return hasLabel || other.stored?.item == stored?.item
    }

    /// A number that equal keys share.
    public override var hash: Int { fingerprint.hashValue }

    private var fingerprint: ItemAttributes { ItemObject.key(self).contentAttributes }

    /// The class, the type and the size.
    public override var description: String {
        let attributes = attributes
        let kind = attributes.keyClass == .private ? "private" : "public"
        return "<SecKey: \(attributes.keyClass == .symmetric ? "symmetric" : kind), type "
            + "\(attributes.keyType?.rawValue ?? 0), \(attributes.keySizeInBits ?? 0) bits>"
    }
}

/// What a program supplies for the uses of a key.
struct KeyAccess: Sendable {
    var context: AuthenticationContext?
    var mayAsk = true
    /// The reason to show to a user who is asked.
    var prompt: String?
}
