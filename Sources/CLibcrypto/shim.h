/* libcrypto, with the low-level calls of AES, which are marked as deprecated there in favour of EVP:
   nothing here needs what EVP sets up. */
#ifndef LANYARD_CLIBCRYPTO_SHIM_H
#define LANYARD_CLIBCRYPTO_SHIM_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#endif
