import KeychainServices

@testable import GitCredential
@testable import LanyardTransfer

/// git-credential-store's file: every item is one that git's helper would make of what git sends.
enum GitCredentialsTarget: FuzzTarget {
    static let name = "git-credentials"

    static func run(_ input: [UInt8]) {
        guard let entries = ImportedEntries(GitCredentialsFile(), input, group: "git") else {
            fail("a file is refused: git ignores what it does not read")
        }
        // Where git would read other lines, one that was skipped for an earlier one of its place is an item without that.
        let isAsGitReadsIt = !input.contains(0x0D) && !input.starts(with: [0xEF, 0xBB, 0xBF])
        entries.checkCutting(
            GitCredentialsFile(), input, group: "git", leavesSkipped: isAsGitReadsIt)
        for case .item(_, let attributes, let secret) in entries.contents {
            checkStored(attributes, secret)
        }
    }

    private static func checkStored(_ attributes: ItemAttributes, _ secret: [UInt8]) {
        func line(_ key: String, _ value: [UInt8]) -> [UInt8] {
            Array("\(key)=".utf8) + value + [0x0A]
        }
        var request = line("protocol", attributes.protocol?.scheme?.bytes ?? [])
        let port = attributes.port.map { Array(":\($0)".utf8) } ?? []
        request += line("host", (attributes.server?.bytes ?? []) + port)
        request += attributes.path.map { line("path", $0.bytes) } ?? []
        request += line("username", attributes.account?.bytes ?? [])
        request += line("password", secret)
        let item = attempt { () throws(KeychainError) in
            try GitCredentialRequest(parsing: Secret(copying: request.span))
                .item(at: Timestamp(secondsSinceEpoch: 0))?.attributes
        }
        check(item == attributes, "git's helper would make another item")
    }
}
