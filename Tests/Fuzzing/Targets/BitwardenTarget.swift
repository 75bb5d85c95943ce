import KeychainServices

@testable import LanyardTransfer

/// Bitwarden's export.
enum BitwardenTarget: FuzzTarget {
    static let name = "bitwarden"

    static func run(_ input: [UInt8]) {
        let entries = ImportedEntries(BitwardenFile(), input, group: "login")
        check(entries?.ranges.isEmpty != false, "an entry of an export can be cut out")
        check(entries?.secrets.contains([]) != true, "an item has no secret")
    }
}
