import KeychainServices

@testable import LanyardTransfer

/// What `security dump-keychain` prints.
enum KeychainDumpTarget: FuzzTarget {
    static let name = "keychain-dump"

    static func run(_ input: [UInt8]) {
        guard let entries = ImportedEntries(KeychainDumpFile(), input, group: "login") else {
            return
        }
        // An entry that was skipped for an earlier one of its place is an item without that.
        entries.checkCutting(KeychainDumpFile(), input, group: "login", leavesSkipped: false)
        check(!entries.secrets.contains([]), "an item has no secret")
    }
}
