/* libcrypto, with the low-level calls of SHA-256 and AES. They are marked as deprecated there in favour
   of EVP, whose first use costs a helper half a millisecond more. */
#ifndef LANYARD_CLIBCRYPTO_SHIM_H
#define LANYARD_CLIBCRYPTO_SHIM_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/bn.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/sha.h>

/* libcrypto is set up without its configuration file, which nothing here needs, and without a handler
   at exit. */
static inline int lanyard_crypto_init(void) {
    return OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, 0);
}

#endif
