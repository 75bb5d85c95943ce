import KeychainServices

@testable import LanyardTransfer

/// The file export.data of 1Password.
enum OnePasswordTarget: FuzzTarget {
    static let name = "one-password"

    static func run(_ input: [UInt8]) {
        let entries = ImportedEntries(OnePasswordFile(), input, group: "login")
        check(entries?.ranges.isEmpty != false, "an entry of an export can be cut out")
        check(entries?.secrets.contains([]) != true, "an item has no secret")
    }
}
