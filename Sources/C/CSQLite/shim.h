/* The parts of SQLite's C interface that Swift can't express: variadic calls, destructor constants that are casts,
   and calls through a table of methods. */
#ifndef LANYARD_CSQLITE_SHIM_H
#define LANYARD_CSQLITE_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

/* Result codes that are computed macros, which Swift does not import. */
static const int lanyard_SQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ;
static const int lanyard_SQLITE_IOERR_ACCESS = SQLITE_IOERR_ACCESS;
static const int lanyard_SQLITE_IOERR_DELETE = SQLITE_IOERR_DELETE;
static const int lanyard_SQLITE_IOERR_GETTEMPPATH = SQLITE_IOERR_GETTEMPPATH;
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

/* sqlite3_config with SQLITE_CONFIG_PAGECACHE: allocates no pages in advance, because SQLite would write to all
   of them at once. It has no effect once SQLite is in use. */
static inline void lanyard_sqlite3_allocate_pages_one_by_one(void) {
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* sqlite3_config with SQLITE_CONFIG_SINGLETHREAD and SQLITE_CONFIG_LOOKASIDE: uses no locks, and allocates no memory
   in advance for a connection. It has no effect once SQLite is in use. */
static inline void lanyard_sqlite3_serve_one_thread(void) {
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

/* sqlite3_bind_blob with SQLITE_TRANSIENT: SQLite makes its own copy. */
static inline int lanyard_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* Reads bytes of the file through SQLite's own descriptor. Closing a second descriptor would drop all locks of the
   process on the file (POSIX advisory locks). */
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

/* Whether this thread is opening a keychain's file or its journal: 0 for no, 2 for a new file. A function, because
   Swift can't emit a static variable of a header. */
static inline int *lanyard_opens_private_file(void) {
    static _Thread_local int opens;
    return &opens;
}

/* The function that SQLite called to open files before. */
static inline sqlite3_syscall_ptr *lanyard_usual_open(void) {
    static sqlite3_syscall_ptr usual;
    return &usual;
}

/* open(2) for SQLite: opens a keychain's file without following links or waiting for a FIFO, and only if it is a
   regular file of this user alone. A file that may be created or overwritten must have a single hard link, because
   another one may be a file elsewhere. Other files are opened as usual. */
static int lanyard_checked_open(const char *path, int flags, int mode) {
    int (*usual)(const char *, int, int) = (int (*)(const char *, int, int))*lanyard_usual_open();
    if (!*lanyard_opens_private_file())
        return usual(path, flags, mode);
    int descriptor = usual(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode);
    if (descriptor < 0)
        return descriptor;
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()
        && (status.st_mode & 077) == 0
        && (*lanyard_opens_private_file() == 1 || status.st_nlink <= 1))
        return descriptor;
    close(descriptor);
    errno = EPERM;
    return -1;
}

/* sqlite3_vfs.xSetSystemCall: makes SQLite open files with lanyard_checked_open. */
static inline int lanyard_sqlite3_check_opened_files(sqlite3_vfs *usual) {
    if (usual->iVersion < 3)
        return SQLITE_ERROR;
    *lanyard_usual_open() = usual->xGetSystemCall(usual, "open");
    if (*lanyard_usual_open() == 0)
        return SQLITE_ERROR;
    return usual->xSetSystemCall(usual, "open", (sqlite3_syscall_ptr)lanyard_checked_open);
}

/* sqlite3_vfs.xOpen for a keychain's file or its journal; fails if another part of the program has replaced
   lanyard_checked_open. */
static inline int lanyard_sqlite3_open_private_file(
    sqlite3_vfs *usual, sqlite3_vfs *files, const char *path, sqlite3_file *file, int flags,
    int *flags_in_force) {
    if (usual->xGetSystemCall(usual, "open") != (sqlite3_syscall_ptr)lanyard_checked_open) {
        errno = EPERM;
        return SQLITE_CANTOPEN;
    }
    *lanyard_opens_private_file() = flags & SQLITE_OPEN_CREATE ? 2 : 1;
    int result = usual->xOpen(files, path, file, flags, flags_in_force);
    *lanyard_opens_private_file() = 0;
    return result;
}

/* Returns the errno of the last failed call on the database file, 0 if there was none. After a failed write,
   sqlite3_system_errno only has the errno of the rollback. */
static inline int lanyard_sqlite3_last_errno(sqlite3 *db) {
    int code = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &code) != SQLITE_OK) {
        return 0;
    }
    return code;
}

#endif
