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
#include <openssl/hmac.h>
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

/* The functions of stacks are macros, which Swift can't call. */

/* The alternative name at an index: its type, and the bytes of a text or an address. Returns 0 behind the last one,
   -1 for one without bytes. */
static inline int lanyard_alternative_name(const GENERAL_NAMES *names, int index, const ASN1_STRING **value) {
    if (index >= sk_GENERAL_NAME_num(names)) {
        return 0;
    }
    int type = -1;
    void *found = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &type);
    if (type != GEN_EMAIL && type != GEN_DNS && type != GEN_IPADD) {
        return -1;
    }
    *value = found;
    return type == GEN_EMAIL ? 1 : type == GEN_DNS ? 2 : 3;
}

/* A name as RFC 4514 writes it, in UTF-8. */
static inline int lanyard_print_name(BIO *output, const X509_NAME *name) {
    return X509_NAME_print_ex(output, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

static inline int lanyard_string_to_utf8(unsigned char **text, const ASN1_STRING *value) {
    return ASN1_STRING_to_UTF8(text, value);
}

static inline void lanyard_openssl_free(void *memory) {
    OPENSSL_free(memory);
}

static inline STACK_OF(X509) *lanyard_x509_stack(void) {
    return sk_X509_new_null();
}

static inline int lanyard_x509_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate) > 0;
}

static inline void lanyard_x509_stack_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}

static inline X509 *lanyard_x509_at(const STACK_OF(X509) *stack, int index) {
    return index < sk_X509_num(stack) ? sk_X509_value(stack, index) : NULL;
}

static inline PKCS7 *lanyard_pkcs7_at(const STACK_OF(PKCS7) *stack, int index) {
    return index < sk_PKCS7_num(stack) ? sk_PKCS7_value(stack, index) : NULL;
}

static inline void lanyard_pkcs7_stack_free(STACK_OF(PKCS7) *stack) {
    sk_PKCS7_pop_free(stack, PKCS7_free);
}

static inline PKCS12_SAFEBAG *lanyard_bag_at(const STACK_OF(PKCS12_SAFEBAG) *stack, int index) {
    return index < sk_PKCS12_SAFEBAG_num(stack) ? sk_PKCS12_SAFEBAG_value(stack, index) : NULL;
}

static inline void lanyard_bag_stack_free(STACK_OF(PKCS12_SAFEBAG) *stack) {
    sk_PKCS12_SAFEBAG_pop_free(stack, PKCS12_SAFEBAG_free);
}

static inline int lanyard_pkcs7_is_data(const PKCS7 *part) {
    return OBJ_obj2nid(part->type) == NID_pkcs7_data;
}

/* The algorithm with which a part is encrypted, NULL if it is not encrypted with a password. */
static inline const X509_ALGOR *lanyard_pkcs7_algorithm(const PKCS7 *part) {
    if (OBJ_obj2nid(part->type) != NID_pkcs7_encrypted || part->d.encrypted == NULL ||
        part->d.encrypted->enc_data == NULL) {
        return NULL;
    }
    return part->d.encrypted->enc_data->algorithm;
}

#endif
