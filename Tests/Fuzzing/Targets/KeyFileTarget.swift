import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// A file with a key, in any form, and the traditional encryption of PEM. Passwords with a slow
/// derivation are left out: their work is limited, but not to what a fuzzer waits for.
enum KeyFileTarget: FuzzTarget {
    static let name = "key-file"

    static func run(_ input: [UInt8]) {
        if let file = attempt({ () throws(KeychainError) in try KeyFile(Secret(input)) }) {
            writeAndRead(file)
        }
        var position = 0
        do throws(KeychainError) {
            while let document = try PEMDocument.next(in: input.span, from: &position) {
                guard TraditionalPEM.isEncrypted(document.headers) else {
                    continue
                }
                _ = try TraditionalPEM.decrypt(document, password: Secret("secret"))
            }
        } catch {
            check(error)
        }
    }

    /// What is read can be written, and is then the same key.
    static func writeAndRead(_ file: KeyFile) {
        switch file.key {
        case .privateKey(let key): writeAndRead(key)
        case .publicKey(let key): writeAndRead(key)
        }
    }

    static func writeAndRead(_ key: PrivateKey) {
        writeAndRead(key.publicKey)
        let bytes = key.externalRepresentation()
        do throws(KeychainError) {
            let one = try PrivateKey(externalRepresentation: bytes, type: key.type)
            let two = try PrivateKey(pkcs8: key.pkcs8())
            let isEqual =
                one.externalRepresentation().isEqual(to: bytes)
                && two.externalRepresentation().isEqual(to: bytes)
            check(isEqual, "a key that is written is another one")
        } catch {
            fail("a key that is written is not read")
        }
    }

    static func writeAndRead(_ key: PublicKey) {
        do throws(KeychainError) {
            let bytes = key.externalRepresentation
            let one = try PublicKey(externalRepresentation: bytes.span, type: key.type)
            let info = key.subjectPublicKeyInfo
            let two = try PublicKey(subjectPublicKeyInfo: info.span)
            check(one == key && two == key, "a public key that is written is another one")
        } catch {
            fail("a public key that is written is not read")
        }
    }
}
