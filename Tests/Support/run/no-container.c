// no-container.c: hides from systemd, into which it is loaded, that it is in a container, where it would take no TPM. It looks
// at the namespaces of groups and of processes.
#define _LARGEFILE64_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int access(const char *path, int mode) {
    if (strcmp(path, "/proc/self/ns/cgroup") != 0)
        return faccessat(AT_FDCWD, path, mode, 0);
    errno = ENOENT;
    return -1;
}

static int see(const char *path, struct stat *status) {
    int code = fstatat(AT_FDCWD, path, status, 0);
    // PROC_PID_INIT_INO of the kernel
    if (code == 0 && strcmp(path, "/proc/self/ns/pid") == 0)
        status->st_ino = 0xEFFFFFFC;
    return code;
}

int stat(const char *restrict path, struct stat *restrict status) { return see(path, status); }

// The same, as programs call it that are built for large files.
int stat64(const char *restrict path, struct stat64 *restrict status) { return see(path, (struct stat *)status); }
