/*
 * same-rows CREDENTIALS DATABASE
 *
 * Puts one row for each line of a file of git-credential-store into a new SQLite file: of the form and the size that
 * they have in a keychain, with its indexes, but with made-up tags and nothing sealed. It goes the quickest way that
 * SQLite has for that: one transaction, several rows with each run of a statement (OR FAIL, as it would keep the way
 * back to before the run otherwise), ids in ascending order, and the one index last that is no constraint and would get
 * its entries in no order. It is on the disk when this ends.
 */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a row has beside its numbers; the last two are the sizes of a keychain's sealed attributes and secrets. */
enum { TAG = 16, ATTRIBUTES = 176, SECRET = 112, AT_ONCE = 64, COLUMNS = 13 };

struct row {
    unsigned char id[TAG], identity[TAG], server[TAG];
    unsigned char attributes[ATTRIBUTES], secret[SECRET];
};

static sqlite3 *database;

static void check(int is_right)
{
    if (is_right)
        return;
    fprintf(stderr, "same-rows: %s\n", database ? sqlite3_errmsg(database) : "bad input");
    exit(1);
}

static void execute(const char *sql)
{
    check(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK);
}

/* As scattered as a digest: the generator splitmix64. */
static void fill(unsigned char *bytes, size_t size)
{
    static uint64_t state = 1;

    for (size_t index = 0; index < size; index += sizeof state) {
        uint64_t number = state += 0x9E3779B97F4A7C15;

        number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
        number = (number ^ number >> 27) * 0x94D049BB133111EB;
        number ^= number >> 31;
        memcpy(bytes + index, &number, sizeof number);
    }
}

static int in_order_of_id(const void *left, const void *right)
{
    return memcmp(left, right, TAG);
}

static sqlite3_stmt *insertion(int rows)
{
    sqlite3_stmt *statement;
    char sql[AT_ONCE * 32 + 32] = "INSERT OR FAIL INTO item VALUES ";

    for (int row = 0; row < rows; row++)
        strcat(sql, row ? ",(?,?,?,?,?,?,?,?,?,?,?,?,?)" : "(?,?,?,?,?,?,?,?,?,?,?,?,?)");
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK);
    return statement;
}

static void insert(sqlite3_stmt *statement, const struct row *rows, int count, long change)
{
    /* One user has all of the file's logins. */
    static const unsigned char account[TAG], access_group[TAG];

    for (int index = 0; index < count; index++) {
        const struct row *row = &rows[index];
        const int p = index * COLUMNS;

        sqlite3_bind_int64(statement, p + 1, change + index);
        sqlite3_bind_blob(statement, p + 2, row->id, TAG, SQLITE_STATIC);
        for (int number = 3; number <= 6; number++)
            sqlite3_bind_int64(statement, p + number, number == 3 ? 0x696E6574 : 1);
        sqlite3_bind_blob(statement, p + 7, row->identity, TAG, SQLITE_STATIC);
        sqlite3_bind_blob(statement, p + 8, row->server, TAG, SQLITE_STATIC);
        sqlite3_bind_null(statement, p + 9);
        sqlite3_bind_blob(statement, p + 10, account, TAG, SQLITE_STATIC);
        sqlite3_bind_blob(statement, p + 11, access_group, TAG, SQLITE_STATIC);
        sqlite3_bind_blob(statement, p + 12, row->attributes, ATTRIBUTES, SQLITE_STATIC);
        sqlite3_bind_blob(statement, p + 13, row->secret, SECRET, SQLITE_STATIC);
    }
    check(sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK);
}

int main(int count, char **arguments)
{
    char *line = NULL;
    size_t capacity = 0;
    long lines = 0, done = 0;
    unsigned char (*ids)[TAG];
    struct row *rows;
    sqlite3_stmt *one, *several;
    FILE *file;

    check(count == 3);
    file = fopen(arguments[1], "r");
    check(file != NULL);
    while (getline(&line, &capacity, file) > 0)
        lines++;
    rows = calloc(lines + 1, sizeof *rows);
    ids = calloc(lines + 1, sizeof *ids);
    check(rows != NULL && ids != NULL);
    for (long row = 0; row < lines; row++) {
        fill(rows[row].id, 3 * TAG);
        memcpy(ids[row], rows[row].id, TAG);
    }
    qsort(ids, lines, sizeof *ids, in_order_of_id);
    for (long row = 0; row < lines; row++)
        memcpy(rows[row].id, ids[row], TAG);

    check(sqlite3_open(arguments[2], &database) == SQLITE_OK);
    execute("PRAGMA journal_mode=DELETE");
    execute("PRAGMA synchronous=FULL");
    execute("PRAGMA cache_size=-16384");
    execute("BEGIN IMMEDIATE");
    execute("CREATE TABLE item (change INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, class INTEGER NOT NULL,"
            " accessible INTEGER NOT NULL, metadata_generation INTEGER NOT NULL,"
            " secret_generation INTEGER NOT NULL, identity BLOB NOT NULL UNIQUE, server BLOB, service BLOB,"
            " account BLOB NOT NULL, access_group BLOB NOT NULL, attributes BLOB NOT NULL,"
            " secret BLOB NOT NULL) STRICT");
    execute("CREATE INDEX item_service ON item (service) WHERE service IS NOT NULL");
    execute("CREATE INDEX item_account ON item (account)");
    execute("CREATE INDEX item_access_group ON item (access_group)");
    one = insertion(1);
    several = insertion(AT_ONCE);
    while (done < lines) {
        const int next = lines - done < AT_ONCE ? 1 : AT_ONCE;

        insert(next == 1 ? one : several, rows + done, next, done + 1);
        done += next;
    }
    execute("CREATE INDEX item_server ON item (server) WHERE server IS NOT NULL");
    sqlite3_finalize(one);
    sqlite3_finalize(several);
    execute("COMMIT");
    check(sqlite3_close(database) == SQLITE_OK);
    printf("%ld new\n", lines);
    return 0;
}
