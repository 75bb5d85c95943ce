internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation

/// Returns a key's public key.
///
/// Of a private key in a keychain without its public key, this reads the private one.
///
/// - Returns: Nil for a symmetric key, and if the private one can't be read.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    if key.attributes.keyClass == .public {
        return key
    }
    return (try? key.publicKey()).map { SecKey(.publicKey($0)) }
}

/// Returns a key as bytes: RSAPrivateKey or RSAPublicKey of PKCS #1; of an elliptic curve the uncompressed point,
/// followed by the private number; the 32 bytes of Ed25519 and X25519. The copy of a private key can't be wiped.
///
/// - Parameter error: Where to write why it failed, or nil; the caller releases it.
/// - Returns: Nil if the key can't be read.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    // Safe: the caller's memory.
    unsafe value(error) { () throws(KeychainError) in NSData(data: Data(try key.data())) }
}

/// Returns what is known of a key: its class, its type, its sizes, what it can do, and for one in a keychain its
/// item's attributes.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    var attributes = key.attributes
    if key.stored == nil {
        attributes.isPermanent = false
    }
    var objects = attributes.objects
    objects["class"] = "keys"
    // Texts, as the constants are.
    objects["kcls"] = attributes.keyClass.map { String($0.rawValue) }
    objects["type"] = attributes.keyType.map { String($0.rawValue) }
    return NSDictionary(dictionary: objects)
}

/// Returns the number of bytes of a block: of the modulus of RSA, of a curve's private keys.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
    (Int(key.attributes.keySizeInBits ?? 0) + 7) / 8
}

/// Returns whether a key can do this. Nothing is read.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    guard let type = key.type, let known = algorithm.known,
        let operation = KeyOperation(rawValue: operation.rawValue)
    else {
        return false
    }
    return key.attributes.keyClass == .private
        ? known.isSupported(byPrivateKeysOf: type, for: operation)
        : known.isSupported(byPublicKeysOf: type, for: operation)
}
