#pragma once

#include <stddef.h>
#include <stdint.h>

/* What libFuzzer's own main calls, with the function that is given each input. */
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/* The C library declares it for GNU sources alone. */
int memfd_create(const char *name, unsigned int flags);
