package import LanyardSecrets

/// A secret in plain text, without the secret.
package struct ScanFinding: Sendable {
    /// What was found.
    package enum Kind: Sendable {
        /// A secret of the keychain, in a form; the numbers are of the items with this secret.
        case copy(items: [Int], form: SecretForm)
        /// A private key without a passphrase.
        case privateKey
        /// A secret that a tool stores in a file of its own.
        case toolFile(KnownFile)
    }

    /// The file.
    package let file: ByteString
    /// Its line, from 1.
    package let line: Int
    /// What was found there.
    package let kind: Kind

    /// Returns the findings for matches: an item once for each line.
    package static func copies(
        in file: ByteString, _ found: [(line: Int, match: SecretSearch.Match)]
    ) -> [ScanFinding] {
        var findings: [ScanFinding] = []
        var line = 0
        var itemsOfLine: Set<[Int]> = []
        for (lineOfMatch, match) in found {
            if lineOfMatch != line {
                line = lineOfMatch
                itemsOfLine = []
            }
            if itemsOfLine.insert(match.items).inserted {
                let kind =
                    match.isMark ? Kind.privateKey : .copy(items: match.items, form: match.form)
                findings.append(ScanFinding(file: file, line: line, kind: kind))
            }
        }
        return findings
    }
}
