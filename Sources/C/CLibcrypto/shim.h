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
#include <openssl/rc2.h>
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

/* Whether an algorithm encrypts with RC2 under a password of PKCS #12: libcrypto has it in its legacy provider, a module
   that a static program can't load. */
static inline int lanyard_is_rc2(const X509_ALGOR *algorithm) {
    int nid = OBJ_obj2nid(algorithm->algorithm);
    return nid == NID_pbe_WithSHA1And40BitRC2_CBC || nid == NID_pbe_WithSHA1And128BitRC2_CBC;
}

/* Decrypts with such an algorithm: RFC 7292, appendices B and C. Returns memory of libcrypto's, NULL for a wrong password
   and for damage. The password is NULL for none. */
static inline unsigned char *lanyard_rc2_decrypt(const X509_ALGOR *algorithm, const char *password, int password_count,
                                                 const ASN1_OCTET_STRING *data, int *count) {
    int key_count = OBJ_obj2nid(algorithm->algorithm) == NID_pbe_WithSHA1And40BitRC2_CBC ? 5 : 16;
    PBEPARAM *parameters =
        (PBEPARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), algorithm->parameter);
    if (parameters == NULL || data == NULL || data->length < 8 || data->length % 8 != 0) {
        PBEPARAM_free(parameters);
        return NULL;
    }
    int iterations = parameters->iter == NULL ? 1 : (int)ASN1_INTEGER_get(parameters->iter);
    unsigned char key[16];
    unsigned char iv[8];
    RC2_KEY schedule;
    unsigned char *plain = (unsigned char *)OPENSSL_malloc((size_t)data->length);
    int works = plain != NULL &&
                PKCS12_key_gen_utf8(password, password_count, parameters->salt->data, parameters->salt->length,
                                    PKCS12_KEY_ID, iterations, key_count, key, EVP_sha1()) == 1 &&
                PKCS12_key_gen_utf8(password, password_count, parameters->salt->data, parameters->salt->length,
                                    PKCS12_IV_ID, iterations, (int)sizeof iv, iv, EVP_sha1()) == 1;
    if (works) {
/* Deprecated in favor of the provider that is not there. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        RC2_set_key(&schedule, key_count, key, key_count * 8);
        RC2_cbc_encrypt(data->data, plain, data->length, &schedule, iv, RC2_DECRYPT);
#pragma GCC diagnostic pop
        int padding = plain[data->length - 1];
        works = padding >= 1 && padding <= 8;
        for (int index = 0; works && index < padding; index++) {
            works = plain[data->length - 1 - index] == padding;
        }
        *count = data->length - padding;
    }
    OPENSSL_cleanse(key, sizeof key);
    OPENSSL_cleanse(&schedule, sizeof schedule);
    PBEPARAM_free(parameters);
    if (!works) {
        OPENSSL_clear_free(plain, plain == NULL ? 0 : (size_t)data->length);
        return NULL;
    }
    return plain;
}

/* As PKCS12_unpack_p7encdata, for RC2. */
static inline STACK_OF(PKCS12_SAFEBAG) *lanyard_unpack_rc2(const PKCS7 *part, const char *password,
                                                           int password_count) {
    int count = 0;
    const PKCS7_ENC_CONTENT *content = part->d.encrypted->enc_data;
    unsigned char *plain =
        lanyard_rc2_decrypt(content->algorithm, password, password_count, content->enc_data, &count);
    if (plain == NULL) {
        return NULL;
    }
    const unsigned char *position = plain;
    STACK_OF(PKCS12_SAFEBAG) *bags = (STACK_OF(PKCS12_SAFEBAG) *)ASN1_item_d2i(
        NULL, &position, count, ASN1_ITEM_rptr(PKCS12_SAFEBAGS));
    OPENSSL_clear_free(plain, (size_t)count);
    return bags;
}

/* As PKCS12_decrypt_skey, for RC2. */
static inline PKCS8_PRIV_KEY_INFO *lanyard_decrypt_rc2_key(const PKCS12_SAFEBAG *bag, const char *password,
                                                           int password_count) {
    const X509_ALGOR *algorithm = NULL;
    const ASN1_OCTET_STRING *data = NULL;
    X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, &data);
    int count = 0;
    unsigned char *plain = lanyard_rc2_decrypt(algorithm, password, password_count, data, &count);
    if (plain == NULL) {
        return NULL;
    }
    const unsigned char *position = plain;
    PKCS8_PRIV_KEY_INFO *key = d2i_PKCS8_PRIV_KEY_INFO(NULL, &position, count);
    OPENSSL_clear_free(plain, (size_t)count);
    return key;
}

#endif
