/* The C library as Swift's own module Glibc shows it, which Embedded Swift lacks for Linux. */
#ifndef LANYARD_GLIBC_H
#define LANYARD_GLIBC_H

#include <SwiftGlibc.h>
#include <sys/ioctl.h>

/* Swift can't call variadic functions. */
static inline int lanyard_fcntl(int descriptor, int command, long value) {
    return fcntl(descriptor, command, value);
}
static inline int lanyard_fcntl_pointer(int descriptor, int command, void *value) {
    return fcntl(descriptor, command, value);
}
static inline int lanyard_open(const char *path, int flags, mode_t mode) {
    return open(path, flags, mode);
}
static inline int lanyard_openat(int folder, const char *path, int flags, mode_t mode) {
    return openat(folder, path, flags, mode);
}
static inline int lanyard_ioctl(int descriptor, unsigned long request, long value) {
    return ioctl(descriptor, request, value);
}
static inline int lanyard_ioctl_pointer(int descriptor, unsigned long request, void *value) {
    return ioctl(descriptor, request, value);
}

#endif
