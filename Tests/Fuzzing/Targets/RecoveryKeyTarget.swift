import KeychainServices

@testable import SealedStore

/// The text of a recovery key: what is accepted has the checksum, its own text is accepted,
/// too, and is the same key.
enum RecoveryKeyTarget: FuzzTarget {
    static let name = "recovery-key"

    static func run(_ input: [UInt8]) {
        do throws(KeychainError) {
            guard let key = try RecoveryKey.read(Secret(copying: input.span)) else {
                return
            }
            check(key.key.count == 20, "a recovery key does not have 20 bytes")
            check(key.text.count == 44, "the text of a recovery key does not have 44 characters")
            guard let again = try RecoveryKey.read(key.text) else {
                fail("the text of a recovery key is not accepted")
            }
            check(again.key.isEqual(to: key.key), "the text of a recovery key is another key's")
        } catch {
            check(error)
        }
    }
}
