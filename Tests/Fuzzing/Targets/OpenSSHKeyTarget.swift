import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// The contents of an OpenSSH private key, without its Base64.
enum OpenSSHKeyTarget: FuzzTarget {
    static let name = "openssh-key"

    static func run(_ input: [UInt8]) {
        let file = attempt { () throws(KeychainError) in
            try KeyFile.read(openSSH: Secret(input), password: nil)
        }
        guard let file, case .privateKey(let key) = file.key else {
            return
        }
        KeyFileTarget.writeAndRead(key)
        do throws(KeychainError) {
            let again = try KeyFile(key.file(.openSSH, comment: file.comment))
            check(again.comment == file.comment, "a comment that is written is another one")
        } catch {
            fail("a key that is written for OpenSSH is not read")
        }
    }
}
