import TestSupport
import LanyardSecrets
import Testing

@testable import PlainTextScan

/// The search against a slow and simple one.
@Suite("searching for secrets")
struct SecretSearchTests {
    /// A secret to search for and its account.
    private struct Wanted {
        let bytes: [UInt8]
        var account: ByteString?
    }

    private func search(_ wanted: [Wanted]) throws -> SecretSearch {
        var secrets = SearchedSecrets()
        for (number, secret) in wanted.enumerated() {
            let omission = secrets.add(
                Secret(copying: secret.bytes.span), account: secret.account, item: number)
            #expect(omission == nil)
        }
        return try secrets.finish()
    }

    private func matches(_ text: [UInt8], _ wanted: String...) throws -> [SecretSearch.Match] {
        try search(wanted.map { Wanted(bytes: Array($0.utf8)) }).matches(in: text.span)
    }

    private func forms(
        _ text: String, of secret: String, account: ByteString? = nil
    ) throws -> Set<SecretForm> {
        let search = try search([Wanted(bytes: Array(secret.utf8), account: account)])
        return Set(search.matches(in: Array(text.utf8).span).map(\.form))
    }

    @Test func findsSecretsAtBothEnds() throws {
        let text = Array("Tr0ub4dor&3 and Tr0ub4dor&3".utf8)
        #expect(try matches(text, "Tr0ub4dor&3").map(\.offset) == [0, 16])
        #expect(try matches(Array(text.dropFirst().dropLast()), "Tr0ub4dor&3") == [])
        #expect(try matches([], "Tr0ub4dor&3") == [])
        #expect(try matches(Array("Tr0ub4d".utf8), "Tr0ub4dor&3") == [])
    }

    /// Many tokens begin with the same, and one secret may contain another.
    @Test func tellsLikeSecretsApart() throws {
        let text = Array("x github_pat_AbCdEf1234 y github_pat_AbCdEf1299 z".utf8)
        let found = try matches(
            text, "github_pat_AbCdEf1234", "github_pat_AbCdEf1299", "AbCdEf1234")
        #expect(
            Set(found.map { [$0.offset] + $0.items }) == [[2, 0], [13, 2], [26, 1]], "\(found)")
    }

    @Test func equalSecretsAreOneMatch() throws {
        let found = try matches(Array("Tr0ub4dor&3".utf8), "Tr0ub4dor&3", "Tr0ub4dor&3")
        #expect(found.map(\.items) == [[0, 1]])
    }

    @Test(arguments: [
        ("1234567", SearchedSecrets.Omission.tooShort), ("1234567\n", .tooShort),
        ("aaaaaaaaaaaaaaaa", .tooSimple), ("20261125", .tooSimple), ("password", .tooSimple),
    ])
    func omitsWhatTextsContainByChance(secret: String, omission: SearchedSecrets.Omission) throws {
        var secrets = SearchedSecrets()
        #expect(secrets.add(Secret(secret), account: "ada", item: 0) == omission)
        let search = try secrets.finish()
        #expect(search.isEmpty)
        #expect(search.matches(in: Array(secret.utf8).span) == [])
    }

    @Test func findsForms() throws {
        let secret = "p\"ss/w\\rd ü+1"
        #expect(try forms("a \(secret) b", of: secret) == [.plain])
        #expect(try forms(#"{"a":"p\"ss/w\\rd ü+1"}"#, of: secret) == [.json])
        #expect(try forms(#"{"a":"p\"ss\/w\\rd ü+1"}"#, of: secret) == [.json])
        #expect(try forms(#"{"a":"p\"ss/w\\rd \u00fc+1"}"#, of: secret) == [.json])
        #expect(
            try forms("https://ada:p%22ss%2Fw%5Crd%20%C3%BC%2B1@h", of: secret)
                == [.percentEncoded])
        // As git-credential-store writes it.
        #expect(
            try forms("https://ada:p%22ss%2fw%5crd%20%c3%bc%2b1@h", of: secret)
                == [.percentEncoded])
        #expect(try forms("nothing", of: secret) == [])
        #expect(try forms(#""a😀\"\ud83d\ude00x""#, of: "abc\"\u{1F600}xyz") == [])
        #expect(try forms(#""abc\"\ud83d\ude00xyz""#, of: "abc\"\u{1F600}xyz") == [.json])
    }

    @Test func findsBase64() throws {
        // printf 'ada:Tr0ub4dor&3?>' | base64, and the secret alone with a newline.
        #expect(
            try forms("\"auth\": \"YWRhOlRyMHViNGRvciYzPz4=\"", of: "Tr0ub4dor&3?>", account: "ada")
                == [.base64])
        #expect(try forms("VHIwdWI0ZG9yJjM/Pgo=", of: "Tr0ub4dor&3?>") == [.base64])
        // In the alphabet of URLs.
        #expect(try forms("VHIwdWI0ZG9yJjM_Pg", of: "Tr0ub4dor&3?>") == [.base64])
        #expect(
            try forms("YWRhOlRyMHViNGRvciYzPz4=", of: "Tr0ub4dor&3?>", account: "bob") == [])
    }

    /// A trailing line break, as `echo` writes it, is not a part of the copies.
    @Test func ignoresLineBreaksAtTheEnd() throws {
        #expect(try matches(Array("=Tr0ub4dor&3;".utf8), "Tr0ub4dor&3\r\n").count == 1)
    }

    /// Random texts with few different bytes, in which much is alike.
    @Test(arguments: 0..<60)
    func equalsTheSlowSearch(round: Int) throws {
        var random = SeededRandom(seed: SeededRandom.seed &+ UInt64(round))
        let alphabet = Array("abcdeABCDE01".utf8).prefix(5 + random.number(below: 8))
        func text(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in random.element(of: Array(alphabet)) }
        }
        var wanted: [[UInt8]] = []
        while wanted.count < 1 + round {
            let new = text(12 + random.number(below: 30))
            if Set(new).count >= 5, !wanted.contains(new) {
                wanted.append(new)
            }
        }
        var bytes: [UInt8] = []
        for _ in 0..<50 {
            bytes += random.chance(50) ? text(random.number(below: 40)) : random.element(of: wanted)
            if random.chance(20) {
                bytes.removeLast(min(bytes.count, random.number(below: 3)))
            }
        }
        let search = try search(wanted.map { Wanted(bytes: $0) })
        let found = Set(
            search.matches(in: bytes.span).filter { $0.form == .plain }
                .flatMap { match in match.items.map { [match.offset, $0] } })
        var expected: Set<[Int]> = []
        for (number, secret) in wanted.enumerated() where secret.count <= bytes.count {
            for offset in 0...bytes.count - secret.count
            where bytes[offset..<offset + secret.count].elementsEqual(secret) {
                expected.insert([offset, number])
            }
        }
        #expect(found == expected)
    }

    /// Secrets at every place around the borders of the pieces in which a file is read.
    @Test func findsSecretsAcrossPieces() throws {
        let folder = try ScratchFolder()
        let long = (0..<5_000).map { UInt8(33 + $0 * 7919 % 90) }
        let wanted = [Wanted(bytes: Array("Tr0ub4dor&3".utf8)), Wanted(bytes: long)]
        let search = try search(wanted)
        let piece = 1 << 20
        for size in [
            piece - 5_000, piece - 4_100, piece - 4_096, piece - 11, piece - 6, piece,
            piece + 4_090, piece + 8_190, piece * 2 - 5,
        ] {
            var bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: size)
            bytes += wanted[0].bytes
            bytes += long
            bytes += Array("\nend".utf8)
            let file = try folder.write("file", bytes)
            let found = Found()
            let scan = FileScan(search) { finding in found.findings.append(finding) }
            try scan.run([file])
            #expect(scan.counts.bytes == bytes.count)
            #expect(found.findings.map(\.line) == [size + 1, size + 1])
            #expect(found.findings.map(\.items) == [[0], [1]])
        }
    }

    /// The findings of a scan.
    final class Found {
        var findings: [ScanFinding] = []
    }
}

extension ScanFinding {
    /// The items of a copy.
    var items: [Int]? {
        if case .copy(let items, _) = kind { items } else { nil }
    }
}
