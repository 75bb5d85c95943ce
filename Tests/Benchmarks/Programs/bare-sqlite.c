/*
 * bare-sqlite CREDENTIALS DATABASE
 *
 * Puts the logins of a file of git-credential-store into a new SQLite file as they are, in plain
 * text: one INSERT for each, one transaction for all. It is on the disk when this ends.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *database;

static void check(int is_right)
{
    if (is_right)
        return;
    fprintf(stderr, "bare-sqlite: %s\n", database ? sqlite3_errmsg(database) : "bad input");
    exit(1);
}

static void execute(const char *sql)
{
    check(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK);
}

int main(int count, char **arguments)
{
    static const char prefix[] = "https://";
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    long inserted = 0;
    sqlite3_stmt *insert;
    FILE *file;

    check(count == 3);
    file = fopen(arguments[1], "r");
    check(file != NULL);
    check(sqlite3_open(arguments[2], &database) == SQLITE_OK);
    execute("PRAGMA journal_mode=DELETE");
    execute("PRAGMA synchronous=FULL");
    execute("BEGIN IMMEDIATE");
    execute("CREATE TABLE login (id INTEGER PRIMARY KEY, server TEXT NOT NULL,"
            " user TEXT NOT NULL, password TEXT NOT NULL)");
    execute("CREATE UNIQUE INDEX identity ON login (server, user)");
    check(sqlite3_prepare_v2(
              database, "INSERT INTO login (server, user, password) VALUES (?, ?, ?)", -1,
              &insert, NULL) == SQLITE_OK);
    while ((length = getline(&line, &capacity, file)) > 0) {
        char *user, *password, *server;

        if (line[length - 1] == '\n')
            line[--length] = '\0';
        check(strncmp(line, prefix, sizeof prefix - 1) == 0);
        user = line + sizeof prefix - 1;
        password = strchr(user, ':');
        check(password != NULL);
        server = strchr(++password, '@');
        check(server != NULL);
        server++;
        check(sqlite3_bind_text(insert, 1, server, -1, SQLITE_STATIC) == SQLITE_OK);
        check(sqlite3_bind_text(insert, 2, user, password - user - 1, SQLITE_STATIC) == SQLITE_OK);
        check(sqlite3_bind_text(
                  insert, 3, password, server - password - 1, SQLITE_STATIC) == SQLITE_OK);
        check(sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK);
        inserted++;
    }
    sqlite3_finalize(insert);
    execute("COMMIT");
    check(sqlite3_close(database) == SQLITE_OK);
    printf("%ld new\n", inserted);
    return 0;
}
