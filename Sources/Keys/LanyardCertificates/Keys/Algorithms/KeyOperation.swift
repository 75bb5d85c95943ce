/// What is done with a key. The corresponding type is SecKeyOperationType.
public enum KeyOperation: Int, Hashable, Sendable, CaseIterable {
    /// A private key signs: kSecKeyOperationTypeSign.
    case sign = 0
    /// A public key verifies: kSecKeyOperationTypeVerify.
    case verify = 1
    /// A public key encrypts: kSecKeyOperationTypeEncrypt.
    case encrypt = 2
    /// A private key decrypts: kSecKeyOperationTypeDecrypt.
    case decrypt = 3
    /// A private key and another public key agree on a secret: kSecKeyOperationTypeKeyExchange.
    case keyExchange = 4
}
