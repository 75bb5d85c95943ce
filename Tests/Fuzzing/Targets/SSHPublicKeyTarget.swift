import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// A public key of SSH, as bytes and as a line.
enum SSHPublicKeyTarget: FuzzTarget {
    static let name = "ssh-public-key"

    static func run(_ input: [UInt8]) {
        let key = attempt { () throws(KeychainError) in try SSHPublicKey(blob: input.span) }
        if let key {
            KeyFileTarget.writeAndRead(key.key)
            let again = attempt { () throws(KeychainError) in try SSHPublicKey(key.key) }
            check(again?.blob == input, "a blob that is accepted is not what would be written")
        }
        let line = attempt { () throws(KeychainError) in try SSHPublicKeyLine(input.span) }
        guard let line else {
            return
        }
        do throws(KeychainError) {
            let bytes = try line.bytes
            let again = try SSHPublicKeyLine(bytes.span)
            check(again == line, "a line that is written is another one")
        } catch {
            fail("a line that is written is not read")
        }
    }
}
