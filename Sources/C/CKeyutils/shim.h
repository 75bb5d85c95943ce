/* libkeyutils: the calls that store keys in the kernel for a user. */
#ifndef LANYARD_CKEYUTILS_SHIM_H
#define LANYARD_CKEYUTILS_SHIM_H

#include <sys/types.h>
#include <keyutils.h>

/* Returns for example "keyutils-1.6.3". */
static inline const char *lanyard_keyutils_version(void) {
    return keyutils_version_string;
}

#endif
