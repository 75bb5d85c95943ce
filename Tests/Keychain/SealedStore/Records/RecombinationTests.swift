import Foundation
import KeychainServices
import Testing

@testable import SealedStore

/// Two rows whose columns are exchanged in every combination that there is.
@Suite("Rows recombined") struct RecombinationTests {
    private static let columns = [
        "change", "id", "class", "accessible", "identity", "server", "account", "access_group",
        "attributes", "secret",
    ]

    private static func positions() throws -> [Int] {
        let all = ItemRow.columns.split { ", \n".contains($0) }.map(String.init)
        return try columns.map { try #require(all.firstIndex(of: $0)) }
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let one: ItemAttributes
        let two: ItemAttributes
    }

    private static func accessible(_ accessible: Accessibility) -> ItemAttributes {
        var attributes = internetPassword("a.example", account: "two")
        attributes.accessible = accessible
        return attributes
    }

    static let pairs = [
        Pair(
            testDescription: "two servers", one: internetPassword("a.example", account: "me"),
            two: internetPassword("b.example", account: "you")),
        Pair(
            testDescription: "two ports of a server",
            one: internetPassword("a.example", account: "me", port: 443),
            two: internetPassword("a.example", account: "me", port: 8443)),
        Pair(
            testDescription: "two accessibilities",
            one: internetPassword("a.example", account: "one"), two: accessible(.always)),
    ]

    @Test(arguments: pairs) func neverGiveAnotherSecret(_ pair: Pair) throws {
        let scratch = try ScratchKeychain()
        let keychain = try scratch.open()
        try keychain.add(.internetPassword, pair.one, secret: Secret("secret one"))
        try keychain.add(.internetPassword, pair.two, secret: Secret("secret two"))
        let rows = try RawDatabase(scratch.location.file).rows(
            "SELECT * FROM item ORDER BY change")
        let positions = try RecombinationTests.positions()
        var found = 0
        var combinations = 0
        for combination in 0..<(1 << positions.count) {
            var changed = rows
            for (bit, position) in positions.enumerated() where combination & 1 << bit != 0 {
                changed[0][position] = rows[1][position]
                changed[1][position] = rows[0][position]
            }
            // Exchanged as a whole, or nothing that differs.
            if changed == rows || changed == rows.reversed() {
                continue
            }
            let database = try RawDatabase(scratch.location.file)
            try database.run("BEGIN; DELETE FROM item")
            for row in changed {
                try database.insert(row)
            }
            try database.run("COMMIT")
            combinations += 1
            for (attributes, own) in [(pair.one, "secret one"), (pair.two, "secret two")] {
                let error = keychainError {
                    let answer = try secret(try scratch.open(), attributes)
                    #expect(answer == own, "\(combination)")
                }
                #expect([nil, .decode, .itemNotFound].contains(error?.status), "\(combination)")
            }
            let isSound = try scratch.openStore().verification().isSound
            #expect(!isSound, "\(combination)")
            found += isSound ? 0 : 1
        }
        print("\(pair.testDescription): \(found) of \(combinations) combinations found")
        #expect(combinations > 100)
    }

    /// Who has the machine key can write attributes: a secret that is locked now would later go to another server.
    @Test func attributesOfAnotherServerDontFitTheSecret() throws {
        let scratch = try ScratchKeychain()
        try scratch.open().add(
            .internetPassword, internetPassword("a.example"), secret: Secret("one"))
        try scratch.openStore().changeItems { records throws(KeychainError) in
            let row = try records.row(after: 0)!
            var attributes = try records.sealing.openAttributes(row)
            attributes.server = "b.example"
            var forged = row
            try records.sealing.sealAttributes(
                attributes, ItemIdentity(row.itemClass, attributes), into: &forged)
            try records.replace(row, with: forged)
        }
        #expect(throws: KeychainError(.decode)) {
            _ = try secret(try scratch.open(), internetPassword("b.example"))
        }
    }
}
