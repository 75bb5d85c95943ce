// device.c: puts the tools of libfido2 on a Unix socket, for tests without hardware. Loaded into them by LD_PRELOAD.
// FIDO2_TEST_SOCKETS has the devices, separated by colons: a path as the kernel's, an equals sign and the socket on which a
// scripted authenticator listens. FIDO2_TEST_PRODUCT is the product of each, as a real device says it.
// The declarations are those of fido.h, so libfido2's headers need not be installed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct {
    void *(*open)(const char *);
    void (*close)(void *);
    int (*read)(void *, unsigned char *, size_t, int);
    int (*write)(void *, const unsigned char *, size_t);
} fido_dev_io_t;

int fido_dev_set_io_functions(void *, const fido_dev_io_t *);
int fido_dev_info_set(void *, size_t, const char *, const char *, const char *, const fido_dev_io_t *, const void *);

static void *open_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *devices = strdup(getenv("FIDO2_TEST_SOCKETS") ?: "");
    size_t length = strlen(path);
    for (char *device = strtok(devices, ":"); device; device = strtok(NULL, ":"))
        if (strncmp(device, path, length) == 0 && device[length] == '=')
            snprintf(address.sun_path, sizeof address.sun_path, "%s", device + length + 1);
    free(devices);
    int *handle = malloc(sizeof *handle);
    *handle = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connect(*handle, (struct sockaddr *)&address, sizeof address) != 0) {
        close(*handle);
        free(handle);
        return NULL;
    }
    return handle;
}

static void close_socket(void *handle) {
    close(*(int *)handle);
    free(handle);
}

static int read_socket(void *handle, unsigned char *buffer, size_t size, int milliseconds) {
    struct pollfd ready = {.fd = *(int *)handle, .events = POLLIN};
    if (poll(&ready, 1, milliseconds) != 1)
        return -1;
    ssize_t count = recv(ready.fd, buffer, size, 0);
    return count > 0 ? (int)count : -1;
}

// The first byte is the number of the report.
static int write_socket(void *handle, const unsigned char *buffer, size_t size) {
    ssize_t count = send(*(int *)handle, buffer + 1, size - 1, MSG_NOSIGNAL);
    return count == (ssize_t)size - 1 ? (int)size : -1;
}

static const fido_dev_io_t io = {open_socket, close_socket, read_socket, write_socket};

int fido_dev_open(void *device, const char *path) {
    int (*original)(void *, const char *) = (int (*)(void *, const char *))dlsym(RTLD_NEXT, "fido_dev_open");
    fido_dev_set_io_functions(device, &io);
    return original(device, path);
}

int fido_dev_info_manifest(void *list, size_t limit, size_t *count) {
    char *devices = strdup(getenv("FIDO2_TEST_SOCKETS") ?: "");
    const char *product = getenv("FIDO2_TEST_PRODUCT") ?: "Test Key";
    *count = 0;
    for (char *device = strtok(devices, ":"); device && *count < limit; device = strtok(NULL, ":")) {
        device[strcspn(device, "=")] = 0;
        if (fido_dev_info_set(list, *count, device, "Lanyard", product, &io, NULL) == 0)
            ++*count;
    }
    free(devices);
    return 0;
}
