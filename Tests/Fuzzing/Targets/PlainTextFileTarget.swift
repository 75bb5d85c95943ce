import KeychainServices

@testable import PlainTextScan

/// The plain-text files of tools, as a scan reads them. The first byte chooses the file.
enum PlainTextFileTarget: FuzzTarget {
    static let name = "plain-text-file"

    private static let files =
        KnownFile.belowHome + [
            KnownFile("git", "x", .urls), KnownFile("docker", "x", KnownFile.dockerContent),
            KnownFile("netrc", "x", KnownFile.netrcContent),
        ]

    static func run(_ input: [UInt8]) {
        guard let first = input.first else {
            return
        }
        let text = Array(input.dropFirst())
        let lines = text.count { $0 == 0x0A } + 1
        files[Int(first) % files.count].forEachSecret(in: text.span) { line in
            check((1...lines).contains(line), "a secret is outside of the file")
        }
    }
}
