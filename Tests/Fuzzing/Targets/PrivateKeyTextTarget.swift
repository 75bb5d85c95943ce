import KeychainServices

@testable import PlainTextScan

/// Private keys in texts: the search finds those marks that are of keys, and no others.
enum PrivateKeyTextTarget: FuzzTarget {
    static let name = "private-key-text"

    private static let search: SecretSearch = {
        var secrets = SearchedSecrets()
        secrets.addPrivateKeys()
        do throws(KeychainError) {
            return try secrets.finish()
        } catch {
            fail("the search can't be made")
        }
    }()

    static func run(_ input: [UInt8]) {
        let found = search.matches(in: input.span).map(\.offset)
        let expected = (0...input.count).filter {
            PrivateKeyText.isUnencrypted(in: input.span, markAt: $0)
        }
        check(found == expected, "the search misses a key, or finds one that is none")
        for offset in found {
            check(
                input[..<offset].suffix(48).contains(UInt8(ascii: "-")), "a key has no first line")
        }
    }
}
