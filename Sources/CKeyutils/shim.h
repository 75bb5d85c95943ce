/* libkeyutils: the calls by which the kernel keeps keys for a user. */
#ifndef LANYARD_CKEYUTILS_SHIM_H
#define LANYARD_CKEYUTILS_SHIM_H

#include <sys/types.h>
#include <keyutils.h>

#endif
