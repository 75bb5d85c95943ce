internal import LanyardSecrets
internal import SyncEngine

/// All statements, in what PostgreSQL, CockroachDB and YugabyteDB have in common: BYTEA, BIGINT, ON CONFLICT,
/// RETURNING and WITH. Each operation is one statement, which sees one moment and has no transaction around it.
///
/// A row of `lanyard_heads` is changed by every put, which therefore happen one after the other.
enum Statements {
    /// Creates what is missing of the tables.
    static let create: [SQL] = [
        """
        CREATE TABLE IF NOT EXISTS lanyard_heads (
            team BYTEA NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL, roster BIGINT NOT NULL)
        """,
        """
        CREATE TABLE IF NOT EXISTS lanyard_roster (
            team BYTEA NOT NULL, number BIGINT NOT NULL, entry BYTEA NOT NULL,
            PRIMARY KEY (team, number))
        """,
        """
        CREATE TABLE IF NOT EXISTS lanyard_records (
            team BYTEA NOT NULL, id BYTEA NOT NULL, version BIGINT NOT NULL,
            sequence BIGINT NOT NULL, content BYTEA NOT NULL, PRIMARY KEY (team, id))
        """,
        """
        CREATE INDEX IF NOT EXISTS lanyard_records_sequence ON lanyard_records (team, sequence)
        """,
    ]

    /// Gives an account the rights that a device needs, and no more: nothing is ever deleted, and no row gets another key, which
    /// would be the same.
    static func grant(to account: PostgreSQLAccount) -> [SQL] {
        let tables: SQL = "lanyard_heads, lanyard_records, lanyard_roster"
        return [
            "GRANT SELECT, INSERT ON \(tables) TO \(account)",
            "GRANT UPDATE (sequence, roster) ON lanyard_heads TO \(account)",
            "GRANT UPDATE (version, sequence, content) ON lanyard_records TO \(account)",
        ]
    }

    /// Reads the head: a row with the sequence and the number of entries, or none.
    static func head(_ team: Identifier) -> SQL {
        "SELECT sequence, roster FROM lanyard_heads WHERE team = \(team.bytes)"
    }

    /// Reads what changed, of one moment. Each row has a kind: 0 for the head, 1 for an entry, 2 for a record.
    ///
    /// The records are a piece: those up to the number at which their count or the sum of their sizes is enough.
    /// What is not read, by ``SyncLimits/areRead(_:)``, is empty.
    static func changes(_ team: Identifier, sequence: Int64, rosterCount: Int64) -> SQL {
        """
        SELECT 0, sequence, roster, '', '' FROM lanyard_heads WHERE team = \(team.bytes)
        UNION ALL
        SELECT 1, number, 0, '', CASE WHEN \(isRead("entry")) THEN encode(entry, 'hex') ELSE '' END
        FROM (SELECT number, entry, sum(\(entrySize)) OVER (ORDER BY number) AS size
        FROM lanyard_roster WHERE team = \(team.bytes) AND number >= \(rosterCount)
        AND number < (SELECT roster FROM lanyard_heads WHERE team = \(team.bytes))) AS entries
        UNION ALL
        SELECT 2, version, sequence, encode(id, 'hex'),
        CASE WHEN \(isRead("content")) THEN encode(content, 'hex') ELSE '' END
        FROM (SELECT version, sequence, id, content,
        sum(\(contentSize)) OVER (ORDER BY sequence, id) AS size FROM lanyard_records
        WHERE team = \(team.bytes) AND sequence > \(sequence) AND sequence <= (
        SELECT COALESCE(min(CASE WHEN size >= \(Int64(SyncPiece.size)) THEN sequence END), max(sequence))
        FROM (SELECT sequence, sum(\(contentSize)) OVER (ORDER BY sequence) AS size
        FROM (SELECT sequence, content FROM lanyard_records
        WHERE team = \(team.bytes) AND sequence > \(sequence)
        ORDER BY sequence LIMIT \(Int64(SyncPiece.count))) AS earliest) AS piece)) AS records
        """
    }

    /// Reads a record: a row with its version and content, or none.
    static func record(_ id: Identifier, _ team: Identifier) -> SQL {
        """
        SELECT version, CASE WHEN length(content) <= \(Int64(SyncLimits.givenSize))
        THEN encode(content, 'hex') ELSE '' END FROM lanyard_records
        WHERE team = \(team.bytes) AND id = \(id.bytes)
        """
    }

    /// Whether a value is read. Its size is known without reading it: the server may have stored it compressed.
    private static func isRead(_ column: SQL) -> SQL {
        """
        length(\(column)) <= \(Int64(SyncLimits.givenSize)) AND size <= \(Int64(SyncLimits.answerSize))
        """
    }

    /// How much of a record is read at most.
    private static let contentSize: SQL = """
        CASE WHEN length(content) <= \(Int64(SyncLimits.givenSize)) THEN length(content)
        ELSE \(Int64(SyncLimits.givenSize)) END
        """

    /// How much of an entry is read: the engine asks for those that come after an answer which is full of others.
    private static let entrySize: SQL = """
        CASE WHEN length(entry) <= \(Int64(SyncLimits.givenSize)) THEN length(entry) ELSE 0 END
        """

    /// Stores records: a row with 1, or with 0 if versions or the number of entries differ.
    ///
    /// Who comes second waits for the row of the head, and then finds other versions than it had seen: it fails
    /// with the division by zero, 22012, which undoes all of it.
    static func put(
        _ puts: [(ServerRecord, version: Int64)], _ team: Identifier, rosterCount: Int64
    )
        -> SQL
    {
        let rows = puts.map { put, version in
            SQL("(\(put.id.bytes), CAST(\(version) AS BIGINT), \(put.content))")
        }
        let count = Int64(puts.count)
        let match: SQL = "(SELECT count(*) FROM matching) = \(count)"
        // The first put makes the row.
        let head: SQL =
            rosterCount == 0
            ? """
            INSERT INTO lanyard_heads (team, sequence, roster)
            SELECT \(team.bytes), 1, 0 WHERE \(match)
            ON CONFLICT (team) DO UPDATE SET sequence = lanyard_heads.sequence + 1
            WHERE lanyard_heads.roster = 0 RETURNING sequence
            """
            : """
            UPDATE lanyard_heads SET sequence = sequence + 1
            WHERE team = \(team.bytes) AND roster = \(rosterCount) AND \(match) RETURNING sequence
            """
        return """
            WITH wanted (id, version, content) AS (VALUES
            \(SQL(rows, separator: ","))),
            matching AS (
            SELECT wanted.id, wanted.version, wanted.content FROM wanted LEFT JOIN lanyard_records
            ON lanyard_records.team = \(team.bytes) AND lanyard_records.id = wanted.id
            WHERE \(known) = wanted.version),
            head AS (
            \(head)),
            stored AS (
            INSERT INTO lanyard_records (team, id, version, sequence, content)
            SELECT \(team.bytes), matching.id, matching.version + 1, head.sequence, matching.content
            FROM head CROSS JOIN matching
            ON CONFLICT (team, id) DO UPDATE SET version = excluded.version,
            sequence = excluded.sequence, content = excluded.content
            WHERE \(known) + 1 = excluded.version RETURNING id)
            SELECT CASE WHEN (SELECT count(*) FROM head) = 0 THEN 0
            WHEN (SELECT count(*) FROM stored) = \(count) THEN 1
            ELSE 1 / ((SELECT count(*) FROM stored) - (SELECT count(*) FROM stored)) END
            """
    }

    /// The version of a record; 0 if there is none, or one with a version that none can have.
    private static let known: SQL = """
        CASE WHEN lanyard_records.version >= 1 AND lanyard_records.version < \(largest)
        THEN lanyard_records.version ELSE 0 END
        """

    /// Numbers are below it: each account may change them all, but not add one to the largest.
    private static let largest: Int64 = 1 << 62

    /// The number of entries that follow each other from the first: others were added where none belongs.
    private static func entryCount(_ team: Identifier) -> SQL {
        """
        (SELECT count(*) FROM (SELECT number, count(*) OVER (ORDER BY number) AS size
        FROM lanyard_roster WHERE team = \(team.bytes) AND number >= 0) AS entries
        WHERE number = size - 1)
        """
    }

    /// Gives numbers that no put can have made right ones, the last ones.
    static func renumber(_ team: Identifier) -> SQL {
        let last: SQL = """
            CASE WHEN sequence >= 0 AND sequence < \(largest) THEN sequence ELSE 0 END
            """
        return """
            WITH wanted AS (SELECT id, count(*) OVER (ORDER BY id) AS number FROM lanyard_records
            WHERE team = \(team.bytes) AND (sequence < 1 OR sequence >
            (SELECT \(last) FROM lanyard_heads WHERE team = \(team.bytes)))),
            head AS (UPDATE lanyard_heads
            SET sequence = \(last) + (SELECT count(*) FROM wanted), roster = \(entryCount(team))
            WHERE team = \(team.bytes) RETURNING sequence)
            UPDATE lanyard_records
            SET sequence = head.sequence - (SELECT count(*) FROM wanted) + wanted.number
            FROM wanted CROSS JOIN head
            WHERE lanyard_records.team = \(team.bytes) AND lanyard_records.id = wanted.id
            """
    }

    /// Adds an entry: a row with 1, or with 0 if the head is another one.
    static func putRoster(
        _ entry: [UInt8], _ team: Identifier, sequence: Int64, rosterCount: Int64
    ) -> SQL {
        let head: SQL =
            sequence == 0 && rosterCount == 0
            ? """
            INSERT INTO lanyard_heads (team, sequence, roster) VALUES (\(team.bytes), 0, 1)
            ON CONFLICT (team) DO UPDATE SET roster = lanyard_heads.roster + 1
            WHERE lanyard_heads.sequence = 0 AND lanyard_heads.roster = 0 RETURNING roster
            """
            : """
            UPDATE lanyard_heads SET roster = \(entryCount(team)) + 1
            WHERE team = \(team.bytes) AND sequence = \(sequence) AND roster = \(rosterCount)
            RETURNING roster
            """
        return """
            WITH head AS (
            \(head)),
            stored AS (
            INSERT INTO lanyard_roster (team, number, entry)
            SELECT \(team.bytes), head.roster - 1, \(entry) FROM head RETURNING number)
            SELECT count(*) FROM stored
            """
    }
}
