import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// DER of keys: the first byte says which form the others are read as.
enum KeyDERTarget: FuzzTarget {
    static let name = "key-der"

    static func run(_ input: [UInt8]) {
        guard let form = input.first else {
            return
        }
        let bytes = Array(input.dropFirst())
        switch form % 8 {
        case 0: read { () throws(KeychainError) in try PrivateKey(pkcs8: Secret(bytes)) }
        case 1: read { () throws(KeychainError) in try .read(sec1: bytes.span, nil) }
        case 2: read(Secret(bytes), .rsa)
        case 3: read(Secret(bytes), .ellipticCurve)
        case 4:
            let key = attempt { () throws(KeychainError) in
                try PublicKey(subjectPublicKeyInfo: bytes.span)
            }
            key.map(KeyFileTarget.writeAndRead)
        case 5, 6:
            let type = form % 8 == 5 ? AsymmetricKeyType.rsa : .ellipticCurve
            let key = attempt { () throws(KeychainError) in
                try PublicKey(externalRepresentation: bytes.span, type: type)
            }
            key.map(KeyFileTarget.writeAndRead)
        default:
            _ = attempt { () throws(KeychainError) in
                try PasswordWork.check(DERReader(0..<bytes.count), in: bytes.span)
            }
        }
    }

    private static func read(_ bytes: borrowing Secret, _ type: AsymmetricKeyType) {
        do throws(KeychainError) {
            KeyFileTarget.writeAndRead(try PrivateKey(externalRepresentation: bytes, type: type))
        } catch {
            check(error)
        }
    }

    private static func read(_ body: () throws(KeychainError) -> PrivateKey) {
        attempt(body).map(KeyFileTarget.writeAndRead)
    }
}
