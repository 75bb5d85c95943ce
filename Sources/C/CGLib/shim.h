/* GLib's D-Bus, for a program that offers objects. The parts that need C: function tables with the caller's
   functions, and calls that Swift can't make. */
#ifndef LANYARD_CGLIB_SHIM_H
#define LANYARD_CGLIB_SHIM_H

#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What answers for the objects below a path. */
typedef struct {
    /* Returns the interfaces of the object at a path, one bit for each in the order in which they were given. */
    guint (*interfaces)(gpointer data, const char *path);
    /* Takes a call, also of the interface Properties; GLib has compared it with the descriptions. */
    void (*call)(gpointer data, GDBusMethodInvocation *invocation);
} LanyardObjects;

/* The functions and the descriptions of the interfaces, with what the functions get. They stay for good. */
typedef struct {
    LanyardObjects objects;
    GDBusNodeInfo *node;
    gpointer data;
} LanyardTree;

static void lanyard_tree_call(GDBusConnection *connection, const char *sender, const char *path,
    const char *interface, const char *method, GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data)
{
    LanyardTree *tree = (LanyardTree *)data;
    tree->objects.call(tree->data, invocation);
}

/* GLib describes no object of a tree: see lanyard_redirect. */
static char **lanyard_tree_enumerate(GDBusConnection *connection, const char *sender, const char *path, gpointer data)
{
    return g_new0(char *, 1);
}

static GDBusInterfaceInfo **lanyard_tree_introspect(GDBusConnection *connection, const char *sender,
    const char *path, const char *node, gpointer data)
{
    LanyardTree *tree = (LanyardTree *)data;
    guint wanted = tree->objects.interfaces(tree->data, path);
    GPtrArray *found = g_ptr_array_new();
    for (guint index = 0; tree->node->interfaces[index]; index++) {
        if (wanted & 1u << index)
            g_ptr_array_add(found, g_dbus_interface_info_ref(tree->node->interfaces[index]));
    }
    g_ptr_array_add(found, NULL);
    return (GDBusInterfaceInfo **)g_ptr_array_free(found, FALSE);
}

/* Without functions for properties their calls are calls as any other. */
static const GDBusInterfaceVTable lanyard_tree_interface = {lanyard_tree_call, NULL, NULL};

static const GDBusInterfaceVTable *lanyard_tree_dispatch(GDBusConnection *connection, const char *sender,
    const char *path, const char *interface, const char *node, gpointer *out, gpointer data)
{
    *out = data;
    return &lanyard_tree_interface;
}

/* Creates a tree of objects with the interfaces of an introspection text. */
static inline LanyardTree *lanyard_tree_new(const char *xml, LanyardObjects objects, gpointer data)
{
    LanyardTree *tree = g_new0(LanyardTree, 1);
    tree->objects = objects;
    tree->data = data;
    tree->node = g_dbus_node_info_new_for_xml(xml, NULL);
    for (guint index = 0; tree->node && tree->node->interfaces[index]; index++)
        g_dbus_interface_info_cache_build(tree->node->interfaces[index]);
    return tree;
}

/* Answers for the object at a path and those directly below it. Returns a number to end that with, 0 on failure. */
static inline guint lanyard_tree_export(LanyardTree *tree, GDBusConnection *connection, const char *path)
{
    static const GDBusSubtreeVTable functions = {
        lanyard_tree_enumerate, lanyard_tree_introspect, lanyard_tree_dispatch};
    return g_dbus_connection_register_subtree(connection, path, &functions,
        G_DBUS_SUBTREE_FLAGS_DISPATCH_TO_UNENUMERATED_NODES, tree, NULL, NULL);
}

/* Connects to the bus at an address. Returns NULL on failure. Flags are named in C alone: Swift can't import those that a
   GLib marks with the version that they are from. */
static inline GDBusConnection *lanyard_connect(const char *address, GCancellable *cancellable, GError **error)
{
    return g_dbus_connection_new_for_address_sync(address,
        (GDBusConnectionFlags)(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION), NULL, cancellable, error);
}

/* Reads a property of another client's object, and starts no program for it. Returns NULL on failure. */
static inline GVariant *lanyard_get_property(GDBusConnection *connection, const char *client, const char *path,
    GVariant *arguments, int milliseconds)
{
    return g_dbus_connection_call_sync(connection, client, path, "org.freedesktop.DBus.Properties", "Get", arguments,
        NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, milliseconds, NULL, NULL);
}

/* Passes on the signals about names' owners; the caller has told the bus that it wants them. */
static inline void lanyard_subscribe_owners(GDBusConnection *connection, GDBusSignalCallback received, gpointer data)
{
    g_dbus_connection_signal_subscribe(connection, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged",
        "/org/freedesktop/DBus", NULL, G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, received, data, NULL);
}

/* The interface that calls to describe an object get in place of org.freedesktop.DBus.Introspectable. */
#define LANYARD_INTROSPECTION "org.lanyard.Introspection"

/* Makes calls that want an object of a tree described calls to that object. GLib would describe every path, also where no
   object is. It runs in a thread of GLib's. */
static GDBusMessage *lanyard_redirect(GDBusConnection *connection, GDBusMessage *message, gboolean is_incoming,
    gpointer root)
{
    if (!is_incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL
        || g_strcmp0(g_dbus_message_get_interface(message), "org.freedesktop.DBus.Introspectable") != 0
        || !g_str_has_prefix(g_dbus_message_get_path(message), (const char *)root))
        return message;
    GDBusMessage *copy = g_dbus_message_copy(message, NULL);
    if (!copy)
        return message;
    g_object_unref(message);
    g_dbus_message_set_interface(copy, LANYARD_INTROSPECTION);
    return copy;
}

/* Does that for the objects from a path on. */
static inline void lanyard_redirect_introspection(GDBusConnection *connection, const char *root)
{
    g_dbus_connection_add_filter(connection, lanyard_redirect, g_strdup(root), g_free);
}

/* Calls the bus itself. Returns NULL on failure. */
static inline GVariant *lanyard_call_bus(GDBusConnection *connection, const char *method, GVariant *arguments,
    const char *type, int milliseconds)
{
    GVariantType *expected = g_variant_type_new(type);
    GVariant *answer = g_dbus_connection_call_sync(connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus", method, arguments, expected, G_DBUS_CALL_FLAGS_NONE, milliseconds, NULL, NULL);
    g_variant_type_free(expected);
    return answer;
}

/* The types of D-Bus' values, by their text. */
static inline gboolean lanyard_is_of_type(GVariant *value, const char *type)
{
    return g_variant_is_of_type(value, (const GVariantType *)type);
}

static inline GVariant *lanyard_array(const char *type, GVariant **elements, gsize count)
{
    return g_variant_new_array((const GVariantType *)type, elements, count);
}

/* Makes every piece of memory be overwritten when it is freed: messages have secrets in them. */
static inline void lanyard_wipe_freed_memory(void)
{
    mallopt(M_PERTURB, 0xFF);
}

/* Goes on in another process, which is no child of the one that started this. Returns 0, or -1 and errno. */
static inline int lanyard_leave_parent(void)
{
    pid_t process = fork();
    if (process > 0)
        _exit(0);
    return process;
}

/* Calls a function when a descriptor has something to read, or its other end is closed. */
static inline guint lanyard_when_readable(gint descriptor, GUnixFDSourceFunc function, gpointer data,
    GDestroyNotify release)
{
    return g_unix_fd_add_full(G_PRIORITY_DEFAULT, descriptor, (GIOCondition)(G_IO_IN | G_IO_HUP | G_IO_ERR), function,
        data, release);
}

/* pidfd_open(2): a descriptor that can be read once a process has ended, closed on exec; or -1 and errno. */
static inline int lanyard_pidfd_open(pid_t process)
{
    return (int)syscall(SYS_pidfd_open, process, 0u);
}

/* Starts a program that gets SIGTERM when this process ends, without our standard streams. Returns its id, or -1. */
static inline pid_t lanyard_start_ending_with_us(const char *path, char *const *arguments)
{
    pid_t process = fork();
    if (process == 0) {
        int nothing = open("/dev/null", O_RDWR);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(nothing, 0);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execv(path, arguments);
        _exit(127);
    }
    return process;
}

/* Bytes that are overwritten before their memory is freed. */
typedef struct {
    gsize count;
    guint8 bytes[];
} LanyardBytes;

static void lanyard_wipe_bytes(gpointer data)
{
    LanyardBytes *kept = (LanyardBytes *)data;
    explicit_bzero(kept->bytes, kept->count);
    g_free(kept);
}

static inline GVariant *lanyard_bytes(const void *bytes, gsize count)
{
    LanyardBytes *kept = (LanyardBytes *)g_malloc(sizeof(LanyardBytes) + count);
    kept->count = count;
    memcpy(kept->bytes, bytes, count);
    return g_variant_new_from_data(G_VARIANT_TYPE_BYTESTRING, kept->bytes, count, TRUE, lanyard_wipe_bytes, kept);
}

#endif
