/* System calls that Swift's own import of the C library lacks or can't call. */
#ifndef LANYARD_CLINUX_SHIM_H
#define LANYARD_CLINUX_SHIM_H

#include <gnu/libc-version.h>
#include <grp.h>
#include <link.h>
#include <linux/openat2.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* link.h, unistd.h and spawn.h declare these for GNU programs only. */
#ifndef __USE_GNU
struct dl_phdr_info {
    ElfW(Addr) dlpi_addr;
    const char *dlpi_name;
    const ElfW(Phdr) *dlpi_phdr;
    ElfW(Half) dlpi_phnum;
};
int dl_iterate_phdr(int (*body)(struct dl_phdr_info *, size_t, void *), void *data);
#endif
extern char **environ;
int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int getresgid(gid_t *real, gid_t *effective, gid_t *saved);
int setresuid(uid_t real, uid_t effective, uid_t saved);
int setresgid(gid_t real, gid_t effective, gid_t saved);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
void closefrom(int first);

/* The version of the Swift compiler: 60301 is 6.3.1. */
enum { lanyard_swift_version = __swift__ };

/* fork(2), which Swift does not call: only one thread may run. Returns 0 in the new process, or -1 and errno. */
static inline int lanyard_fork(void) {
    return fork();
}

/* Their headers would make this module the one that defines types of Swift's C library. */
int open(const char *path, int flags, ...);
int fcntl(int number, int command, ...);
int sigfillset(sigset_t *set);
int sigemptyset(sigset_t *set);
int sigprocmask(int how, const sigset_t *set, sigset_t *before);
void (*signal(int number, void (*handler)(int)))(int);
pid_t waitpid(pid_t process, int *status, int options);
int *__errno_location(void);
enum { lanyard_write_only = 1, lanyard_set_descriptor_flags = 2, lanyard_set_mask = 2 };

/* Gives a new process a stream: a descriptor, or /dev/null with these flags if it is -1, or the present one if it is -2. */
static inline void lanyard_set_stream(int stream, int flags, int number) {
    if (stream == -2)
        return;
    if (stream == -1)
        stream = open("/dev/null", flags);
    if (stream == number)
        fcntl(number, lanyard_set_descriptor_flags, 0);
    else
        dup2(stream, number);
}

/* Starts a program as posix_spawn(3) does, but by vfork(2): glibc takes clone3(2), which the filters of older containers
   refuse. A negative inherited descriptor is none; all signals have their default. Returns 0, or an errno. */
static inline int lanyard_spawn_by_vfork(
    pid_t *identifier, const char *path, char *const arguments[], char *const environment[],
    int input, int output, int errors, int inherited, int is_own_session
) {
    volatile int code = 0;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(lanyard_set_mask, &all, &before);
    pid_t child = vfork();
    if (child == 0) {
        /* Memory is still the parent's: only system calls follow. */
        for (int number = 1; number < 65; number++)
            signal(number, 0);
        if (is_own_session)
            setsid();
        lanyard_set_stream(input, 0, 0);
        lanyard_set_stream(output, lanyard_write_only, 1);
        lanyard_set_stream(errors, lanyard_write_only, 2);
        if (inherited >= 0)
            lanyard_set_stream(inherited, 0, 3);
        closefrom(inherited >= 0 ? 4 : 3);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(lanyard_set_mask, &none, 0);
        execve(path, arguments, environment);
        code = *__errno_location();
        _exit(127);
    }
    int failure = child < 0 ? *__errno_location() : code;
    sigprocmask(lanyard_set_mask, &before, 0);
    if (child > 0 && failure != 0)
        waitpid(child, 0, 0);
    *identifier = child;
    return failure;
}

/* getrandom(2): returns the number of bytes, perhaps fewer than requested, or -1 and errno. */
static inline long lanyard_getrandom(void *bytes, unsigned long count) {
    return getrandom(bytes, count, 0);
}

/* prctl(PR_SET_DUMPABLE): prevents core files, and keeps the user's other processes out of this one's memory. */
static inline int lanyard_set_not_dumpable(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* memfd_create(2): creates a file in memory, closed on exec; returns its descriptor, or -1 and errno. */
static inline int lanyard_memfd_create(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
}

/* memfd_create(2): creates a sealable file in memory, closed on exec; returns its descriptor, or -1 and errno.
   From Linux 6.3 on it can never be executed. */
static inline int lanyard_memfd_create_sealable(const char *name) {
    const unsigned int sealable = 1u | 2u; /* MFD_CLOEXEC | MFD_ALLOW_SEALING */
    int descriptor = (int)syscall(SYS_memfd_create, name, sealable | 8u /* MFD_NOEXEC_SEAL */);
    if (descriptor == -1)
        descriptor = (int)syscall(SYS_memfd_create, name, sealable);
    return descriptor;
}

/* fcntl(F_ADD_SEALS): makes the file, its size and its seals immutable; returns 0, or -1 and errno. */
static inline int lanyard_seal(int descriptor) {
    const long seals = 1 | 2 | 4 | 8; /* F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE */
    return (int)syscall(SYS_fcntl, descriptor, 1033 /* F_ADD_SEALS */, seals);
}

/* Closes all descriptors from the first one up on exec: close_range(2), one by one before Linux 5.11. */
static inline void lanyard_close_on_exec_from(int first) {
    if (syscall(SYS_close_range, first, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */) == 0)
        return;
    long limit = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < limit; descriptor++)
        syscall(SYS_fcntl, descriptor, 2 /* F_SETFD */, 1L /* FD_CLOEXEC */);
}

/* openat2(2) with RESOLVE_NO_SYMLINKS: returns a descriptor, or -1 and errno. */
static inline int lanyard_open_without_links(int folder, const char *path, int flags) {
    struct open_how how = {0};
    how.flags = (uint64_t)flags;
    how.resolve = RESOLVE_NO_SYMLINKS;
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/* fcntl(F_OFD_SETLK): locks or unlocks one byte for this open file; returns 0, or -1 and errno. */
static inline int lanyard_lock_byte(int descriptor, int64_t offset, short type) {
    /* struct flock of 64-bit Linux, because fcntl.h would make struct stat a part of this module. */
    struct {
        short type, whence; /* F_RDLCK, F_WRLCK or F_UNLCK; SEEK_SET */
        int64_t start, length;
        int process;
    } lock = {type, 0, offset, 1, 0};
    return (int)syscall(SYS_fcntl, descriptor, 37 /* F_OFD_SETLK */, &lock);
}

/* renameat2(2) with RENAME_NOREPLACE: returns 0, or -1 and errno. */
static inline int lanyard_rename_without_replacing(int folder, const char *path, const char *new_path) {
    return (int)syscall(SYS_renameat2, folder, path, folder, new_path, 1u /* RENAME_NOREPLACE */);
}

/* O_PATH, which fcntl.h declares for GNU programs only. */
static const int32_t lanyard_O_PATH = 010000000;

/* The bit of O_TMPFILE beside O_DIRECTORY, likewise. */
static const int32_t lanyard_O_TMPFILE = 020000000;

/* Whether the program has more rights than its user (setuid, setgid, capabilities of the file). */
static inline int lanyard_is_secure_execution(void) {
    return getauxval(AT_SECURE) != 0;
}

/* Whether the real, effective and saved user and group are these: getresuid(2) and getresgid(2). */
static inline int lanyard_is_user(uint32_t user, uint32_t group) {
    uid_t users[3];
    gid_t groups[3];
    return getresuid(&users[0], &users[1], &users[2]) == 0 && getresgid(&groups[0], &groups[1], &groups[2]) == 0 &&
           users[0] == user && users[1] == user && users[2] == user &&
           groups[0] == group && groups[1] == group && groups[2] == group;
}

/* setgroups(2): sets the supplementary groups; returns 0, or -1 and errno. */
static inline int lanyard_set_groups(const uint32_t *groups, unsigned long count) {
    return setgroups(count, groups);
}

/* setresgid(2): sets the real, effective and saved group; returns 0, or -1 and errno. */
static inline int lanyard_set_group(uint32_t group) {
    return setresgid(group, group, group);
}

/* setresuid(2): sets the real, effective and saved user; returns 0, or -1 and errno. */
static inline int lanyard_set_user(uint32_t user) {
    return setresuid(user, user, user);
}

/* A file action of posix_spawn(3): closes all descriptors from the first one up. */
static inline int lanyard_add_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/* POSIX_SPAWN_SETSID, which spawn.h declares for GNU programs only. */
static const int lanyard_POSIX_SPAWN_SETSID = 0x80;

/* struct sockaddr_un, because sys/un.h would make it a part of this module. */
struct lanyard_unix_address {
    unsigned short family;
    char path[108];
};

/* Returns an address's size, or 0 if its path is too long. */
static inline unsigned int lanyard_set_unix_address(struct lanyard_unix_address *address, const char *path) {
    unsigned int length = 0;
    while (path[length] != 0)
        length++;
    if (length == 0 || length >= sizeof address->path)
        return 0;
    address->family = 1; /* AF_UNIX */
    for (unsigned int index = 0; index <= length; index++)
        address->path[index] = path[index];
    return (unsigned int)(sizeof address->family + length + 1);
}

/* bind(2) of a Unix socket to a path: returns 0, or -1 and errno; -2 if the path is too long. */
static inline int lanyard_bind_unix(int socket, const char *path) {
    struct lanyard_unix_address address;
    unsigned int size = lanyard_set_unix_address(&address, path);
    return size == 0 ? -2 : (int)syscall(SYS_bind, socket, &address, size);
}

/* connect(2) of a Unix socket to a path: returns 0, or -1 and errno; -2 if the path is too long. */
static inline int lanyard_connect_unix(int socket, const char *path) {
    struct lanyard_unix_address address;
    unsigned int size = lanyard_set_unix_address(&address, path);
    return size == 0 ? -2 : (int)syscall(SYS_connect, socket, &address, size);
}

/* accept4(2): returns a socket that never blocks and is closed on exec, or -1 and errno. */
static inline int lanyard_accept(int socket) {
    return (int)syscall(SYS_accept4, socket, (void *)0, (void *)0, 02004000 /* SOCK_CLOEXEC | SOCK_NONBLOCK */);
}

/* getsockopt(SO_PEERCRED): the process and the user at a Unix socket's other end; returns 0, or -1 and errno. */
static inline int lanyard_peer(int socket, int32_t *process, uint32_t *user) {
    struct {
        int32_t process;
        uint32_t user, group;
    } peer = {0, ~0u, ~0u};
    unsigned int size = sizeof peer;
    int result = (int)syscall(SYS_getsockopt, socket, 1 /* SOL_SOCKET */, 17 /* SO_PEERCRED */, &peer, &size);
    *process = peer.process;
    *user = peer.user;
    return result;
}

/* environ(7): the environment, which ends with NULL. */
static inline char **lanyard_environment(void) {
    return environ;
}

/* ioctl(TIOCGDEV): returns the number of the device behind /dev/tty, or 0. */
static inline unsigned int lanyard_terminal_device(int terminal) {
    unsigned int device = 0;
    return ioctl(terminal, TIOCGDEV, &device) == 0 ? device : 0;
}

/* statfs(2): returns the type of a path's file system, or 0. */
static inline uint32_t lanyard_file_system_kind(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (uint32_t)status.f_type : 0;
}

/* prlimit(2): limits the memory that a process may write to; returns 0, or -1 and errno. */
static inline int lanyard_limit_memory(int32_t process, uint64_t size) {
    uint64_t limit[2] = {size, size};
    return (int)syscall(SYS_prlimit64, process, 2 /* RLIMIT_DATA */, limit, (void *)0);
}

#endif
