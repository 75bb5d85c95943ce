import KeychainServices

@testable import LanyardTransfer

/// The XML export of KeePassXC.
enum KeePassTarget: FuzzTarget {
    static let name = "keepass"

    static func run(_ input: [UInt8]) {
        let entries = ImportedEntries(KeePassFile(), input, group: "login")
        check(entries?.ranges.isEmpty != false, "an entry of an export can be cut out")
        check(entries?.secrets.contains([]) != true, "an item has no secret")
    }
}
