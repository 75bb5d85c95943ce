/* libcrypto: certificates, keys, PKCS #12. */
#ifndef LANYARD_CLIBCRYPTO_SHIM_H
#define LANYARD_CLIBCRYPTO_SHIM_H

#include <malloc.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/proverr.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

/* Memory for libcrypto that is overwritten when it is freed: it has keys in it. The C library's functions with the
   same names would leave the bytes behind, and its realloc those of the old place. */
static inline void lanyard_wiping_free(void *memory, const char *file, int line) {
    (void)file;
    (void)line;
    if (memory != NULL) {
        explicit_bzero(memory, malloc_usable_size(memory));
        free(memory);
    }
}

static inline void *lanyard_wiping_malloc(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return malloc(size);
}

static inline void *lanyard_wiping_realloc(void *memory, size_t size, const char *file, int line) {
    if (memory == NULL) {
        return malloc(size);
    }
    if (size == 0) {
        lanyard_wiping_free(memory, file, line);
        return NULL;
    }
    size_t old = malloc_usable_size(memory);
    if (size <= old) {
        return memory;
    }
    void *larger = malloc(size);
    if (larger != NULL) {
        memcpy(larger, memory, old);
        lanyard_wiping_free(memory, file, line);
    }
    return larger;
}

/* Makes libcrypto ready: wiping memory, no configuration file, no clean-up at exit. Returns 0 if it fails. To be
   called before any other function of libcrypto. */
static inline int lanyard_libcrypto_start(void) {
    (void)CRYPTO_set_mem_functions(lanyard_wiping_malloc, lanyard_wiping_realloc, lanyard_wiping_free);
    return OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
}

#endif
