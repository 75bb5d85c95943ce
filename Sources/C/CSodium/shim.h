/* libsodium: encryption, digests, key derivation, passphrase stretching, signatures and key agreement. */
#ifndef LANYARD_CSODIUM_SHIM_H
#define LANYARD_CSODIUM_SHIM_H

#include <sodium/core.h>
#include <sodium/crypto_aead_xchacha20poly1305.h>
#include <sodium/crypto_box.h>
#include <sodium/crypto_generichash_blake2b.h>
#include <sodium/crypto_pwhash_argon2id.h>
#include <sodium/crypto_sign_ed25519.h>
#include <sodium/utils.h>
#include <sodium/version.h>

/* Computes the BLAKE2b digest of four parts, 32 bytes, with a key that may be empty. In C, because Swift can't align
   a structure to 64 bytes; libsodium wipes this one at the end. */
static inline void lanyard_digest(unsigned char *digest, const unsigned char *key, size_t key_size,
                                  const unsigned char *first, size_t first_size,
                                  const unsigned char *second, size_t second_size,
                                  const unsigned char *third, size_t third_size,
                                  const unsigned char *fourth, size_t fourth_size) {
    crypto_generichash_blake2b_state state;
    crypto_generichash_blake2b_init(&state, key, key_size, 32);
    crypto_generichash_blake2b_update(&state, first, first_size);
    crypto_generichash_blake2b_update(&state, second, second_size);
    crypto_generichash_blake2b_update(&state, third, third_size);
    crypto_generichash_blake2b_update(&state, fourth, fourth_size);
    crypto_generichash_blake2b_final(&state, digest, 32);
    /* The calls leave the key below, and the digest, which may be a key, too. */
    sodium_stackzero(2048);
}

/* The same of public bytes that come one after the other, in memory of this size whose address is a multiple of 64. */
static inline size_t lanyard_running_digest_size(void) { return sizeof(crypto_generichash_blake2b_state); }

static inline void lanyard_running_digest_begin(void *state) {
    crypto_generichash_blake2b_init((crypto_generichash_blake2b_state *)state, 0, 0, 32);
}

static inline void lanyard_running_digest_add(void *state, const unsigned char *bytes, size_t size) {
    crypto_generichash_blake2b_update((crypto_generichash_blake2b_state *)state, bytes, size);
}

static inline void lanyard_running_digest_end(void *state, unsigned char *digest) {
    crypto_generichash_blake2b_final((crypto_generichash_blake2b_state *)state, digest, 32);
}

#endif
