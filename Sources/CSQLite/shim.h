/* What Swift can't say of SQLite's C interface: variadic calls, destructor constants that are casts,
   and calls through a table of methods. */
#ifndef LANYARD_CSQLITE_SHIM_H
#define LANYARD_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Result codes that are macros with a computation in them. */
static const int lanyard_SQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ;
static const int lanyard_SQLITE_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT_UNIQUE;
static const int lanyard_SQLITE_READONLY_ROLLBACK = SQLITE_READONLY_ROLLBACK;
static const int lanyard_SQLITE_READONLY_RECOVERY = SQLITE_READONLY_RECOVERY;

/* sqlite3_db_config with SQLITE_DBCONFIG_DEFENSIVE and with SQLITE_DBCONFIG_TRUSTED_SCHEMA. */
static inline int lanyard_sqlite3_harden(sqlite3 *db) {
    int result = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (result != SQLITE_OK) {
        return result;
    }
    return sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/* sqlite3_config with SQLITE_CONFIG_PAGECACHE: no room for pages ahead of those that are read, which would
   all be written to at once. Nothing happens once SQLite is in use. */
static inline void lanyard_sqlite3_allocate_pages_one_by_one(void) {
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* sqlite3_bind_blob with SQLITE_TRANSIENT: SQLite makes its own copy. */
static inline int lanyard_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* Reads bytes of the file through SQLite's own descriptor. A second descriptor would drop all of the
   process's locks on the file when it is closed (POSIX advisory locks). */
static inline int lanyard_sqlite3_read(
    sqlite3 *db, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int result = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK) {
        return result;
    }
    if (file == 0 || file->pMethods == 0) {
        return SQLITE_CANTOPEN;
    }
    return file->pMethods->xRead(file, bytes, count, offset);
}

/* The errno of the last failed call on the database file, 0 if there was none. After a failed write
   sqlite3_system_errno has what the rollback left in errno. */
static inline int lanyard_sqlite3_last_errno(sqlite3 *db) {
    int code = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &code) != SQLITE_OK) {
        return 0;
    }
    return code;
}

#endif
