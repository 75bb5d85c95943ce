/* libsecret and the parts of GLib that it is used with. */
#ifndef LANYARD_CLIBSECRET_SHIM_H
#define LANYARD_CLIBSECRET_SHIM_H

/* The calls with D-Bus paths, which libsecret has kept since 0.16 without promising them. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

#endif
