import KeychainServices

@testable import SealedStore

/// The stored form of a keybag: what is accepted is what would be written, and scrypt is never asked
/// for more than it may cost.
enum KeybagTarget: FuzzTarget {
    static let name = "keybag"

    static func run(_ input: [UInt8]) {
        guard let keybag = attempt({ () throws(KeychainError) in try Keybag(decoding: input) })
        else {
            return
        }
        check(keybag.encoded == input, "what is accepted is not what would be written")
        for case .passphrase(_, let salt, let log2N, let r, let p) in keybag.sources {
            check(
                salt.count == 16 && (15...18).contains(log2N) && r == 8 && p >= 1
                    && UInt64(p) << log2N <= 1 << 18,
                "scrypt would take more than it may")
        }
        for key in keybag.classKeys {
            for wrapping in key.wrappings {
                check(
                    wrapping.sources.allSatisfy { $0 < keybag.sources.count },
                    "a wrapping is under a source that is not there")
            }
        }
        check(keybag.sources.count { $0.kind == .passphrase } <= 1, "there are two passphrases")
    }
}
