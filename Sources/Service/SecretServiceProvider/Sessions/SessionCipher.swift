#if SecretService
internal import LanyardCertificates
internal import KeychainServices
internal import LinuxSystem

/// Encrypts and decrypts the secrets of a session: AES-128 in CBC mode with PKCS #7 padding.
enum SessionCipher {
    /// The size of a block and of the parameter, in bytes.
    static let blockSize = 16

    /// A secret as it is transferred.
    struct Encrypted: ~Copyable {
        let parameter: Secret
        let value: Secret
    }

    static func encrypt(
        _ secret: borrowing Secret, key: borrowing Secret
    ) -> Encrypted? {
        guard let random = try? RandomBytes.make(blockSize) else {
            return nil
        }
        let parameter = Secret(copying: random.span)
        switch run(.encrypt, secret, key: key, parameter: parameter) {
        case .some(let value): return Encrypted(parameter: parameter, value: value)
        case .none: return nil
        }
    }

    /// - Returns: nil if the parameter or the padding is wrong.
    static func decrypt(
        _ value: borrowing Secret, key: borrowing Secret, parameter: borrowing Secret
    ) -> Secret? {
        guard parameter.count == blockSize, value.count % blockSize == 0, value.count > 0 else {
            return nil
        }
        return run(.decrypt, value, key: key, parameter: parameter)
    }

    private static func run(
        _ direction: SymmetricCipher.Direction, _ text: borrowing Secret, key: borrowing Secret,
        parameter: borrowing Secret
    ) -> Secret? {
        text.withBytes { text in
            parameter.withBytes { parameter in
                try? SymmetricCipher.aes128CBC.apply(
                    direction, text, key: key, vector: parameter, isPadded: true)
            }
        }
    }
}
#endif
