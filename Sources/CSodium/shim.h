/* Of libsodium, scrypt alone, which Nettle lacks. */
#ifndef LANYARD_CSODIUM_SHIM_H
#define LANYARD_CSODIUM_SHIM_H

#include <sodium/core.h>
#include <sodium/crypto_pwhash_scryptsalsa208sha256.h>

#endif
