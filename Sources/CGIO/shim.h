/* GIO, the part of GLib that speaks D-Bus. */
#ifndef LANYARD_CGIO_SHIM_H
#define LANYARD_CGIO_SHIM_H

#include <gio/gio.h>

#endif
