import KeychainServices

@testable import LanyardTransfer

/// The file .netrc.
enum NetrcTarget: FuzzTarget {
    static let name = "netrc"

    static func run(_ input: [UInt8]) {
        guard let entries = ImportedEntries(NetrcFile(), input, group: "git") else {
            return
        }
        entries.checkCutting(NetrcFile(), input, group: "git", leavesSkipped: true)
        for case .item(_, let attributes, let secret) in entries.contents {
            check(attributes.server?.isEmpty == false, "an item is for no machine")
            check(attributes.protocol == .https && attributes.path == nil, "it is for more")
            check(!secret.contains { [0x00, 0x0A, 0x0D].contains($0) }, "git refuses a password")
        }
    }
}
