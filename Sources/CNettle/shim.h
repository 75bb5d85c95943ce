/* Nettle: the cipher and the digest of everything sealed. It has nothing to set up, and the memory of
   its keys is the caller's. */
#ifndef LANYARD_CNETTLE_SHIM_H
#define LANYARD_CNETTLE_SHIM_H

#include <nettle/gcm.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

#if NETTLE_VERSION_MAJOR != 3
#error "the digests of Nettle 4 are called in another way"
#endif

#endif
