/* Of libsodium, what Nettle lacks: scrypt, and the wiping of the stack. */
#ifndef LANYARD_CSODIUM_SHIM_H
#define LANYARD_CSODIUM_SHIM_H

#include <sodium/core.h>
#include <sodium/crypto_pwhash_scryptsalsa208sha256.h>
#include <sodium/utils.h>
#include <sodium/version.h>

#endif
