import Foundation
import TestSupport
import LanyardSecrets
import Testing

@testable import PlainTextScan

/// Which private keys a scan finds. The keys here are none: random digits in the form of one.
@Suite("private keys in texts", .timeLimit(.minutes(5)))
struct PrivateKeyTextTests {
    private static let digits = "MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUW"
    private static let openSSH = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAA"
    private static let encrypted = "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAA"

    private func search() throws -> SecretSearch {
        var secrets = SearchedSecrets()
        secrets.addPrivateKeys()
        return try secrets.finish()
    }

    private func count(_ text: String) throws -> Int {
        try search().matches(in: Array(text.utf8).span).count
    }

    private static func pem(_ label: String, _ body: String = digits) -> String {
        "-----BEGIN \(label)PRIVATE KEY-----\n\(body)\n-----END \(label)PRIVATE KEY-----\n"
    }

    @Test(arguments: [
        pem(""), pem("RSA "), pem("EC "), pem("OPENSSH ", openSSH), "x\n\n" + pem("DSA "),
        pem("").replacing("\n", with: "\r\n"), pem("").replacing("\n", with: "\n    "),
        // As Google's service accounts have it.
        #"{"private_key": "\#(pem("").replacing("\n", with: "\\n"))"}"#,
    ])
    func isFound(_ text: String) throws {
        #expect(try count(text) == 1)
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----", "it starts with -----BEGIN PRIVATE KEY-----\nand ends",
        pem("", "c2hvcnQ="), pem("ENCRYPTED "), pem("OPENSSH ", encrypted),
        pem("RSA ", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n\(digits)"),
        pem("").replacing("PRIVATE", with: "PUBLIC"), pem("").replacing("BEGIN", with: "END"),
        "BEGIN PRIVATE KEY-----\n\(digits)\n", "PRIVATE KEY-----\n\(digits)\n",
        pem("").replacing("-----\nMC4", with: "-----MC4"),
    ])
    func isNotFound(_ text: String) throws {
        #expect(try count(text) == 0)
    }

    /// The line, and in both ways of searching.
    @Test func theLineIsReported() throws {
        let folder = try ScratchFolder()
        let text = "# keys\n" + Self.pem("RSA ") + Self.pem("ENCRYPTED ") + Self.pem("EC ")
        let file = try folder.write("keys.pem", text.utf8)
        let found = SecretSearchTests.Found()
        let scan = FileScan(try search()) { finding in found.findings.append(finding) }
        try scan.run([file])
        #expect(found.findings.map(\.line) == [2, 8])
        let kinds = found.findings.map {
            if case .privateKey = $0.kind { true } else { false }
        }
        #expect(kinds == [true, true])
        #expect(try count(text) == 2)
    }

    /// A key at every place around the borders of the pieces in which a file is read.
    @Test func keysAreFoundAcrossPieces() throws {
        let folder = try ScratchFolder()
        let piece = 1 << 20
        for before in [4_200, 100, 27, 12, 1, 0, -piece + 20] {
            let size = piece - before
            let text = String(repeating: "\n", count: size) + Self.pem("")
            let file = try folder.write("file", text.utf8)
            let found = SecretSearchTests.Found()
            let scan = FileScan(try search()) { finding in found.findings.append(finding) }
            try scan.run([file])
            #expect(found.findings.map(\.line) == [size + 1])
        }
    }

    /// Any label, line break and body: a key is found if and only if the body could be one.
    @Test func randomKeys() throws {
        var random = SeededRandom()
        let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        for _ in 0..<500 {
            let label = random.element(of: ["", "RSA ", "EC ", "ENCRYPTED ", "X9 "])
            var body = (0..<random.number(below: 90)).map { _ in random.element(of: base64) }
            var isWhole = body.count >= 40
            if random.chance(30), !body.isEmpty {
                let place = random.number(below: body.count)
                body[place] = random.element(of: Array(":-. \n=\0".utf8))
                isWhole = isWhole && place >= 40
            }
            let lineBreak = random.element(of: ["\n", "\r\n", "\\n", "\n  ", "\n\t"])
            let before = (0..<random.number(below: 70)).map { _ in
                random.element(of: Array("A -\n\"=x".utf8))
            }
            let text =
                before + Array("-----BEGIN \(label)PRIVATE KEY-----\(lineBreak)".utf8) + body
            // A blank before the digits may be left out.
            guard body.first != UInt8(ascii: " ") else {
                continue
            }
            let found = try search().matches(in: text.span)
            #expect(found.count == (isWhole && label != "ENCRYPTED " ? 1 : 0), "\(text)")
        }
    }

    @Test func aScanCanBeStopped() throws {
        let folder = try ScratchFolder()
        for name in ["a", "b", "c"] {
            _ = try folder.write(name, Self.pem("").utf8)
        }
        let found = SecretSearchTests.Found()
        let scan = FileScan(try search()) { finding in found.findings.append(finding) }
        try scan.run([folder.path]) { $0.files < 2 }
        #expect(found.findings.count == 2)
        #expect(scan.counts.isStopped)
    }
}
