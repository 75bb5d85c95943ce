internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation
internal import SecurityFunctions

/// Generates a private key.
///
/// - Parameters:
///   - parameters: ``kSecAttrKeyType`` and ``kSecAttrKeySizeInBits``; attributes for both keys, and in
///     ``kSecPrivateKeyAttrs`` and ``kSecPublicKeyAttrs`` for one of them. ``kSecAttrIsPermanent`` stores a key.
///   - error: Where to write why it failed, or nil; the caller releases it.
/// - Returns: The key, nil if it failed: errSecKeySizeNotAllowed for RSA keys of less than 2048 bits,
///   errSecUnimplemented for a key of a Secure Enclave.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    // Safe: the caller's memory.
    unsafe value(error) { () throws(KeychainError) in
        try NewKeyPair(parameters).generate().privateKey
    }
}

/// Generates a pair of keys, as ``SecKeyCreateRandomKey(_:_:)`` does.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    status { () throws(KeychainError) in
        let made = try NewKeyPair(parameters).generate()
        // Safe: the caller's memory.
        unsafe publicKey?.pointee = made.publicKey
        unsafe privateKey?.pointee = made.privateKey
    }
}

/// Returns the key with these bytes, in memory.
///
/// - Parameters:
///   - keyData: What ``SecKeyCopyExternalRepresentation(_:_:)`` returns. A public key can also be a
///     SubjectPublicKeyInfo.
///   - attributes: ``kSecAttrKeyType`` and ``kSecAttrKeyClass``; others are ignored.
///   - error: Where to write why it failed, or nil; the caller releases it.
/// - Returns: The key, nil if it failed.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    // Safe: the caller's memory.
    unsafe value(error) { () throws(KeychainError) in
        let wanted = try KeyDictionary(attributes)
        guard let number = try wanted.number(.keyType), let keyClass = try wanted.number(.keyClass)
        else {
            throw KeychainError(.param, "a key needs a type and a class")
        }
        guard let type = AsymmetricKeyType(rawValue: number) else {
            throw KeychainError(.unimplemented, "unsupported type of key")
        }
        let data = keyData as Data
        switch KeyClass(rawValue: keyClass) {
        case .private:
            return SecKey(
                .privateKey(try PrivateKey(externalRepresentation: Secret(data), type: type)))
        case .public: return SecKey(.publicKey(try PublicKey(anyForm: data.span, type)))
        default: throw KeychainError(.unimplemented, "only keys of pairs can be made")
        }
    }
}

extension PublicKey {
    /// Creates a key from its external representation, or from a SubjectPublicKeyInfo with a key of the type.
    fileprivate convenience init(
        anyForm bytes: Span<UInt8>, _ type: AsymmetricKeyType
    ) throws(KeychainError) {
        let info = try? PublicKey(subjectPublicKeyInfo: bytes)
        if let info, info.type == type {
            let own = info.externalRepresentation
            try self.init(externalRepresentation: own.span, type: type)
        } else {
            try self.init(externalRepresentation: bytes, type: type)
        }
    }
}
