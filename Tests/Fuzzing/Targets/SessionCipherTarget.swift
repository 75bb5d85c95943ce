import KeychainServices

@testable import SecretServiceStore

/// What a Secret Service sends of a secret: 16 bytes of a vector, then the ciphertext.
enum SessionCipherTarget: FuzzTarget {
    static let name = "session-cipher"

    static func run(_ input: [UInt8]) {
        let cipher = SessionCipher(key: Secret("sixteen bytes it"))
        attempt { () throws(KeychainError) in
            let secret = try cipher.decrypt(
                Array(input.dropFirst(16)), vector: Array(input.prefix(16)))
            check(
                (1...16).contains(input.count - 16 - secret.count),
                "a secret has more bytes than its ciphertext, or far less")
        }
        let again = attempt { () throws(KeychainError) in
            let (vector, ciphertext) = try cipher.encrypt(Secret(copying: input.span))
            return try cipher.decrypt(ciphertext, vector: vector).array()
        }
        check(again == input, "decrypting does not undo encrypting")
    }
}
