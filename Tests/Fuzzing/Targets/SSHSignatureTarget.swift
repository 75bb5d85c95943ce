import Glibc
import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// Signatures of SSH and of curves in both forms, with a key of its own for each type.
enum SSHSignatureTarget: FuzzTarget {
    static let name = "ssh-signature"

    /// The private key 1 of P-256, and the bytes 0 to 31 as an Ed25519 key.
    private static let keys: [PublicKey] = {
        let keys = attempt { () throws(KeychainError) in
            let one: [UInt8] = [1]
            let seed = Array(0..<UInt8(32))
            return [
                try PrivateKey.ellipticCurve(.p256, scalar: one.span, point: nil).publicKey,
                try PrivateKey(externalRepresentation: Secret(seed), type: .ed25519).publicKey,
            ]
        }
        return keys ?? []
    }()

    static func run(_ input: [UInt8]) {
        let message: [UInt8] = [1, 2, 3]
        check(keys.count == 2, "the fixed keys are not read")
        for key in keys {
            let form = attempt { () throws(KeychainError) in try SSHPublicKey(key) }
            check(
                form?.verify(input.span, of: message.span) == false,
                "a signature is valid that nobody made")
        }
        for algorithm in [
            KeyAlgorithm.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageRFC4754SHA256,
        ] {
            let isValid = attempt { () throws(KeychainError) in
                try keys[0].verify(input.span, of: message.span, algorithm)
            }
            check(isValid == false, "a signature is valid that nobody made")
        }
        let plain = attempt { () throws(KeychainError) in
            try EllipticCurve.p256.fixedLength(input.span)
        }
        if let plain {
            check(
                EllipticCurve.p256.encodedInDER(plain.span) == input,
                "a signature that is accepted is not what would be written")
        }
    }
}
