import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncPlugins

/// Whatever is not in this list, other engines may lack: PostgreSQL, CockroachDB and YugabyteDB share it.
@Suite("SQL that all engines have") struct CommonSQLTests {
    private static let words: Set<String> = Set(
        """
        SELECT FROM WHERE AND OR UNION ALL WITH AS VALUES INSERT INTO ON CONFLICT DO UPDATE SET RETURNING
        CASE WHEN THEN ELSE END CAST BIGINT BYTEA CREATE TABLE INDEX IF NOT EXISTS NULL PRIMARY KEY
        GRANT TO LEFT JOIN CROSS COALESCE excluded count decode encode hex
        ORDER BY LIMIT OVER min max sum length earliest piece size entries records
        lanyard_heads lanyard_records lanyard_roster lanyard_records_sequence wanted matching head stored
        team id version sequence content roster number entry ada
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let team = TransportCase.id(99)

    private static func all() throws -> [SQL] {
        let put = (TransportCase.put(1, 0, [1, 2]), version: Int64(3))
        var all = Statements.create + Statements.grant(to: try PostgreSQLAccount("ada"))
        all += [
            Statements.head(team), Statements.renumber(team),
            Statements.changes(team, sequence: 1, rosterCount: 2),
            Statements.record(TransportCase.id(1), team),
        ]
        for count: Int64 in [0, 1] {
            all.append(Statements.put([put, put], team, rosterCount: count))
            all.append(Statements.putRoster([1], team, sequence: 0, rosterCount: count))
        }
        return all
    }

    @Test func noOtherWordIsUsed() throws {
        for statement in try Self.all() {
            let words = statement.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            for word in words where !word.allSatisfy(\.isHexDigit) {
                #expect(Self.words.contains(String(word)), "\(word)")
            }
            let allowed = Set("(),.=+-/*<> \n'\"_")
            for character in statement.text where !character.isLetter && !character.isNumber {
                #expect(allowed.contains(character), "\(character)")
            }
            // Texts are hexadecimal digits, or empty.
            for (index, text) in statement.text.split(
                separator: "'", omittingEmptySubsequences: false
            ).enumerated() where index % 2 == 1 {
                #expect(text == "hex" || text.allSatisfy(\.isHexDigit), "\(text)")
            }
        }
    }

    @Test func valuesAreNumbersAndDigits() {
        let statement: SQL = "a \(Int64.min) \([0, 0xFF, 0x27]) \(SQL(["b", "c"], separator: ","))"
        #expect(
            statement.text == "a -9223372036854775808 decode('00ff27', 'hex') b,\nc")
    }
}
