/* logind's signals on the system bus: the machine sleeps, or a screen was locked. */
#ifndef LANYARD_CLIBSECRET_LOGIND_H
#define LANYARD_CLIBSECRET_LOGIND_H

#include <gio/gio.h>

/* gunixfdlist.h declares it, which is in a folder of gio-unix-2.0.pc. */
gint g_unix_fd_list_get(GUnixFDList *list, gint index, GError **error);

#define LANYARD_LOGIND "org.freedesktop.login1"

/* Passes on the signals, and the end of the connection. */
static inline void lanyard_subscribe_logind(GDBusConnection *bus, GDBusSignalCallback received,
    void (*closed)(GDBusConnection *bus, gboolean vanished, GError *error, gpointer data), gpointer data)
{
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    g_signal_connect(bus, "closed", G_CALLBACK(closed), data);
    g_dbus_connection_signal_subscribe(bus, LANYARD_LOGIND, LANYARD_LOGIND ".Manager", "PrepareForSleep",
        "/org/freedesktop/login1", NULL, G_DBUS_SIGNAL_FLAGS_NONE, received, data, NULL);
    g_dbus_connection_signal_subscribe(bus, LANYARD_LOGIND, LANYARD_LOGIND ".Session", "Lock", NULL, NULL,
        G_DBUS_SIGNAL_FLAGS_NONE, received, data, NULL);
    g_dbus_connection_signal_subscribe(bus, LANYARD_LOGIND, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        NULL, LANYARD_LOGIND ".Session", G_DBUS_SIGNAL_FLAGS_NONE, received, data, NULL);
}

/* Delays sleep until the returned descriptor is closed, or for as long as logind allows; -1 if it refuses. */
static inline int lanyard_delay_sleep(GDBusConnection *bus)
{
    GUnixFDList *list = NULL;
    int descriptor = -1;
    GVariant *answer = g_dbus_connection_call_with_unix_fd_list_sync(bus, LANYARD_LOGIND, "/org/freedesktop/login1",
        LANYARD_LOGIND ".Manager", "Inhibit", g_variant_new("(ssss)", "sleep", "Lanyard", "Locks keychains", "delay"),
        G_VARIANT_TYPE("(h)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, 2000, NULL, &list, NULL, NULL);
    if (answer && list) {
        gint32 index = 0;
        g_variant_get(answer, "(h)", &index);
        descriptor = g_unix_fd_list_get(list, index, NULL);
    }
    g_clear_pointer(&answer, g_variant_unref);
    g_clear_object(&list);
    return descriptor;
}

/* Returns whether a session is a user's. It is if logind does not say. */
static inline gboolean lanyard_is_session_of(GDBusConnection *bus, const char *session, guint32 user)
{
    guint32 owner = user;
    GVariant *answer = g_dbus_connection_call_sync(bus, LANYARD_LOGIND, session, "org.freedesktop.DBus.Properties",
        "Get", g_variant_new("(ss)", LANYARD_LOGIND ".Session", "User"), G_VARIANT_TYPE("(v)"),
        G_DBUS_CALL_FLAGS_NO_AUTO_START, 1000, NULL, NULL);
    if (answer) {
        GVariant *value = NULL;
        g_variant_get(answer, "(v)", &value);
        if (g_variant_is_of_type(value, G_VARIANT_TYPE("(uo)")))
            g_variant_get_child(value, 0, "u", &owner);
        g_variant_unref(value);
        g_variant_unref(answer);
    }
    return owner == user;
}

/* Returns the argument of PrepareForSleep: whether the machine is about to sleep. */
static inline gboolean lanyard_begins(GVariant *arguments)
{
    gboolean begins = FALSE;
    if (g_variant_is_of_type(arguments, G_VARIANT_TYPE("(b)")))
        g_variant_get(arguments, "(b)", &begins);
    return begins;
}

/* Returns whether PropertiesChanged says that a session is locked now. */
static inline gboolean lanyard_says_locked(GVariant *arguments)
{
    gboolean locked = FALSE;
    if (g_variant_is_of_type(arguments, G_VARIANT_TYPE("(sa{sv}as)"))) {
        GVariant *changed = g_variant_get_child_value(arguments, 1);
        g_variant_lookup(changed, "LockedHint", "b", &locked);
        g_variant_unref(changed);
    }
    return locked;
}

#endif
