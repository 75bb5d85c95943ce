internal import LanyardCertificates
internal import KeychainServices
internal import KeychainServicesFoundation

/// Signs with a private key.
///
/// - Parameters:
///   - dataToSign: The message or its digest, as the algorithm says.
///   - error: Where to write why it failed, or nil; the caller releases it.
/// - Returns: The signature, nil if it failed: errSecParam for an algorithm that the key doesn't have.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    // Safe: the caller's memory.
    unsafe value(error) { () throws(KeychainError) in
        let known = try key.check(algorithm, .sign)
        let input = dataToSign as Data
        return NSData(data: Data(try key.privateKey().sign(input.span, known)))
    }
}

/// Returns whether a signature is one of a public key's private key.
///
/// - Parameters:
///   - signedData: The message or its digest, as the algorithm says.
///   - error: Where to write why not, or nil: errSecVerifyFailed for another signature; the caller releases it.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    // Safe: the caller's memory.
    let verified = unsafe value(error) { () throws(KeychainError) in
        let known = try key.check(algorithm, .verify)
        let input = signedData as Data
        let signature = signature as Data
        guard try key.publicKey().verify(signature.span, of: input.span, known) else {
            throw KeychainError(.verifyFailed, "the signature is not of this key and this data")
        }
        return true
    }
    return verified ?? false
}

/// Encrypts for a private key with its public key.
///
/// - Parameter error: Where to write why it failed, or nil; the caller releases it.
/// - Returns: The encrypted data, nil if it failed.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    // Safe: the caller's memory.
    unsafe value(error) { () throws(KeychainError) in
        let known = try key.check(algorithm, .encrypt)
        let text = Secret(plaintext as Data)
        return NSData(data: Data(try key.publicKey().encrypt(text, known)))
    }
}

/// Decrypts with a private key.
///
/// - Parameter error: Where to write why it failed, or nil; the caller releases it.
/// - Returns: The data, whose copy can't be wiped; nil if it failed.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    // Safe: the caller's memory.
    unsafe value(error) { () throws(KeychainError) in
        let known = try key.check(algorithm, .decrypt)
        let input = ciphertext as Data
        return NSData(data: Data(try key.privateKey().decrypt(input.span, known)))
    }
}

/// Returns the secret that a private key and another one's public key have in common.
///
/// - Parameters:
///   - parameters: ``SecKeyKeyExchangeParameter/requestedSize`` and
///     ``SecKeyKeyExchangeParameter/sharedInfo`` for the algorithms with X9.63; others take none.
///   - error: Where to write why it failed, or nil; the caller releases it.
/// - Returns: The secret, whose copy can't be wiped; nil if it failed.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey,
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    // Safe: the caller's memory.
    unsafe value(error) { () throws(KeychainError) in
        let known = try privateKey.check(algorithm, .keyExchange)
        let wanted = try KeyExchangeParameters(parameters)
        let secret = try privateKey.privateKey().sharedSecret(
            with: publicKey.publicKey(), known, requestedSize: wanted.requestedSize,
            sharedInfo: wanted.sharedInfo)
        return NSData(data: Data(secret))
    }
}

extension SecKey {
    /// Returns an algorithm that the key has for an operation.
    ///
    /// - Throws: ``Status/param``.
    fileprivate func check(
        _ algorithm: SecKeyAlgorithm, _ operation: SecKeyOperationType
    ) throws(KeychainError) -> KeyAlgorithm {
        guard SecKeyIsAlgorithmSupported(self, operation, algorithm), let known = algorithm.known
        else {
            throw KeychainError(.param, "the key doesn't support this algorithm")
        }
        return known
    }
}

/// What a caller wants of a key exchange.
private struct KeyExchangeParameters {
    var requestedSize = 0
    var sharedInfo: [UInt8] = []

    /// - Throws: ``Status/param`` for values of other types.
    init(_ dictionary: NSDictionary) throws(KeychainError) {
        for (key, value) in dictionary {
            // A key may be the parameter itself, which doesn't bridge to its name here.
            let name = key as? String ?? (key as? SecKeyKeyExchangeParameter)?.rawValue as String?
            switch name {
            case "requestedSize":
                guard let size = (value as? NSNumber)?.intValue else {
                    throw KeychainError(.param, "the requested size is not a number")
                }
                requestedSize = size
            case "sharedInfo":
                guard let info = value as? Data else {
                    throw KeychainError(.param, "the shared information is not data")
                }
                sharedInfo = Array(info)
            default: break
            }
        }
    }
}
