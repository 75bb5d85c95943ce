import KeychainServices

@testable import LanyardCryptography
@testable import SealedStore

/// The stored form of a keybag: what is accepted is what would be written, and no passphrase
/// costs more than it may.
enum KeybagTarget: FuzzTarget {
    static let name = "keybag"

    static func run(_ input: [UInt8]) {
        guard let keybag = attempt({ () throws(KeychainError) in try Keybag(decoding: input) })
        else {
            return
        }
        check(keybag.encoded == input, "what is accepted is not what would be written")
        for case .passphrase(_, let stretching) in keybag.sources {
            let (memory, passes) = (UInt64(stretching.memory), UInt64(stretching.passes))
            check(
                stretching.salt.count == 16 && (32768...262_144).contains(memory) && passes >= 1
                    && memory * passes <= 2 * 3 * 131_072,
                "the passphrase's key would take more than it may")
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
