/* libsecret, and the parts of it that need C: a service on the caller's connection that lets the caller decide about
   questions, and calls whose arguments are simpler in C. */
#ifndef LANYARD_CLIBSECRET_SHIM_H
#define LANYARD_CLIBSECRET_SHIM_H

#include <string.h>
/* One by one, because <libsecret/secret.h> needs flags of libsecret-1.pc that SwiftPM warns about. The last header has
   calls with paths, which do less than those with objects. */
#define __SECRET_INSIDE_HEADER__
#include <libsecret-1/libsecret/secret-service.h>
#include <libsecret-1/libsecret/secret-collection.h>
#include <libsecret-1/libsecret/secret-item.h>
#include <libsecret-1/libsecret/secret-prompt.h>
#include <libsecret-1/libsecret/secret-value.h>
#include <libsecret-1/libsecret/secret-paths.h>
#undef __SECRET_INSIDE_HEADER__

/* Errors of our own domain: the question must not be shown, or the user dismissed it. */
enum { LANYARD_PROMPT_REFUSED = 1, LANYARD_PROMPT_DISMISSED = 2 };

static inline GQuark lanyard_prompt_quark(void) { return g_quark_from_static_string("lanyard-prompt"); }

/* A SecretService that asks before it shows a question. */
typedef struct {
    SecretService parent;
    gboolean (*may_prompt)(gpointer data);
    gpointer data;
    gboolean is_dismissed;
} LanyardService;

static inline SecretServiceClass *lanyard_parent_class(void)
{
    return (SecretServiceClass *)g_type_class_peek(SECRET_TYPE_SERVICE);
}

static void lanyard_note_completed(GDBusConnection *connection, const char *sender, const char *path,
    const char *interface, const char *signal, GVariant *arguments, gpointer service)
{
    if (g_variant_is_of_type(arguments, G_VARIANT_TYPE("(bv)")))
        g_variant_get_child(arguments, 0, "b", &((LanyardService *)service)->is_dismissed);
}

static void lanyard_prompt(SecretService *base, SecretPrompt *prompt, const GVariantType *type,
    GCancellable *cancellable, GAsyncReadyCallback done, gpointer data)
{
    LanyardService *service = (LanyardService *)base;
    GDBusProxy *proxy = G_DBUS_PROXY(prompt);
    if (!service->may_prompt(service->data)) {
        g_dbus_proxy_call(proxy, "Dismiss", NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
        g_task_report_new_error(base, done, data, (gpointer)lanyard_prompt, lanyard_prompt_quark(),
            LANYARD_PROMPT_REFUSED, "refused");
        return;
    }
    /* libsecret does not report whether a question about a deletion was dismissed. This subscription does. */
    service->is_dismissed = FALSE;
    guint *subscription = g_new(guint, 1);
    *subscription = g_dbus_connection_signal_subscribe(g_dbus_proxy_get_connection(proxy),
        g_dbus_proxy_get_name(proxy), "org.freedesktop.Secret.Prompt", "Completed",
        g_dbus_proxy_get_object_path(proxy), NULL, G_DBUS_SIGNAL_FLAGS_NONE, lanyard_note_completed, service, NULL);
    g_object_set_data_full(G_OBJECT(base), "lanyard-subscription", subscription, g_free);
    lanyard_parent_class()->prompt_async(base, prompt, type, cancellable, done, data);
}

static GVariant *lanyard_prompt_finish(SecretService *base, GAsyncResult *result, GError **error)
{
    if (g_async_result_is_tagged(result, (gpointer)lanyard_prompt))
        return (GVariant *)g_task_propagate_pointer(G_TASK(result), error);
    guint *subscription = (guint *)g_object_get_data(G_OBJECT(base), "lanyard-subscription");
    g_dbus_connection_signal_unsubscribe(g_dbus_proxy_get_connection(G_DBUS_PROXY(base)), *subscription);
    GVariant *value = lanyard_parent_class()->prompt_finish(base, result, error);
    if (((LanyardService *)base)->is_dismissed || (!value && error && !*error)) {
        g_clear_error(error);
        g_clear_pointer(&value, g_variant_unref);
        g_set_error_literal(error, lanyard_prompt_quark(), LANYARD_PROMPT_DISMISSED, "dismissed");
    }
    return value;
}

/* libsecret's own constructor replaces the given connection with the user's session bus. */
static GObject *lanyard_construct(GType type, guint count, GObjectConstructParam *given)
{
    GObject *service = G_OBJECT_CLASS(lanyard_parent_class())->constructor(type, count, given);
    for (guint index = 0; index < count; index++) {
        const char *name = given[index].pspec->name;
        if (!strcmp(name, "g-bus-type") || !strcmp(name, "g-name") || !strcmp(name, "g-flags"))
            g_object_set_property(service, name, given[index].value);
    }
    return service;
}

static void lanyard_service_class_init(gpointer class, gpointer data)
{
    G_OBJECT_CLASS(class)->constructor = lanyard_construct;
    ((SecretServiceClass *)class)->prompt_async = lanyard_prompt;
    ((SecretServiceClass *)class)->prompt_finish = lanyard_prompt_finish;
}

static inline GType lanyard_service_type(void)
{
    static gsize type = 0;
    if (g_once_init_enter(&type)) {
        g_type_class_unref(g_type_class_ref(SECRET_TYPE_SERVICE));
        GTypeQuery parent;
        g_type_query(SECRET_TYPE_SERVICE, &parent);
        g_once_init_leave(&type, g_type_register_static_simple(SECRET_TYPE_SERVICE, "LanyardService",
            parent.class_size, lanyard_service_class_init, sizeof(LanyardService), NULL, (GTypeFlags)0));
    }
    return type;
}

/* Returns the Secret Service of the program with this unique name. Its calls wait until they are canceled. */
static inline SecretService *lanyard_service_new(GDBusConnection *connection, const char *owner,
    SecretServiceFlags flags, gboolean (*may_prompt)(gpointer data), gpointer data, GCancellable *cancellable,
    GError **error)
{
    GDBusProxyFlags proxy_flags = flags & SECRET_SERVICE_LOAD_COLLECTIONS ? G_DBUS_PROXY_FLAGS_NONE
        : G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS;
    LanyardService *service = (LanyardService *)g_object_new(lanyard_service_type(), "g-connection", connection,
        "g-name", owner, "g-flags", proxy_flags, "flags", flags, NULL);
    service->may_prompt = may_prompt;
    service->data = data;
    g_dbus_proxy_set_default_timeout(G_DBUS_PROXY(service), G_MAXINT);
    if (!g_initable_init(G_INITABLE(service), cancellable, error))
        g_clear_object(&service);
    return (SecretService *)service;
}

static inline GVariant *lanyard_attributes(GHashTable *attributes)
{
    GVariantBuilder builder;
    GHashTableIter entries;
    gpointer name, text;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{ss}"));
    g_hash_table_iter_init(&entries, attributes);
    while (g_hash_table_iter_next(&entries, &name, &text))
        g_variant_builder_add(&builder, "{ss}", (char *)name, (char *)text);
    return g_variant_builder_end(&builder);
}

/* Returns the paths of a collection's items that have at least these attributes, to be freed. libsecret's own call
   first loads all properties of the collection, which is slow and makes the service send us every change. Its call
   for the whole service makes KeePassXC ask for the password of a locked database. */
static inline char **lanyard_search(GDBusConnection *connection, const char *owner, const char *collection,
    GHashTable *attributes, GCancellable *cancellable, GError **error)
{
    char **paths = NULL;
    GVariant *answer = g_dbus_connection_call_sync(connection, owner, collection,
        "org.freedesktop.Secret.Collection", "SearchItems", g_variant_new("(@a{ss})", lanyard_attributes(attributes)),
        G_VARIANT_TYPE("(ao)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT, cancellable, error);
    if (answer)
        g_variant_get(answer, "(^ao)", &paths);
    g_clear_pointer(&answer, g_variant_unref);
    return paths;
}

/* Creates an item and returns its path, to be freed. */
static inline char *lanyard_create_item(SecretService *service, const char *collection, const char *label,
    GHashTable *attributes, SecretValue *value, GCancellable *cancellable, GError **error)
{
    GHashTable *properties =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_variant_unref);
    g_hash_table_insert(properties, "org.freedesktop.Secret.Item.Label",
        g_variant_ref_sink(g_variant_new_string(label)));
    g_hash_table_insert(properties, "org.freedesktop.Secret.Item.Attributes",
        g_variant_ref_sink(lanyard_attributes(attributes)));
    char *path = secret_service_create_item_dbus_path_sync(service, collection, properties, value,
        SECRET_ITEM_CREATE_NONE, cancellable, error);
    g_hash_table_unref(properties);
    return path;
}

typedef struct {
    GPtrArray *items;
    guint under_way;
} LanyardLoading;

static void lanyard_note_item(GObject *source, GAsyncResult *result, gpointer data)
{
    LanyardLoading *loading = (LanyardLoading *)data;
    SecretItem *item = secret_item_new_for_dbus_path_finish(result, NULL);
    if (item)
        g_ptr_array_add(loading->items, item);
    loading->under_way--;
}

/* Returns the items that exist at these paths, loaded all at once. */
static inline GPtrArray *lanyard_load_items(SecretService *service, const char **paths, GCancellable *cancellable)
{
    LanyardLoading loading = {g_ptr_array_new_with_free_func(g_object_unref), 0};
    GMainContext *context = g_main_context_new();
    g_main_context_push_thread_default(context);
    for (; *paths; paths++, loading.under_way++)
        secret_item_new_for_dbus_path(service, *paths, SECRET_ITEM_NONE, cancellable, lanyard_note_item, &loading);
    while (loading.under_way)
        g_main_context_iteration(context, TRUE);
    g_main_context_pop_thread_default(context);
    g_main_context_unref(context);
    return loading.items;
}

/* Returns the paths of a collection's items, to be freed; NULL if it does not report them. */
static inline char **lanyard_item_paths(SecretCollection *collection)
{
    GVariant *value = g_dbus_proxy_get_cached_property(G_DBUS_PROXY(collection), "Items");
    char **paths = value && g_variant_is_of_type(value, G_VARIANT_TYPE_OBJECT_PATH_ARRAY)
        ? g_variant_dup_objv(value, NULL) : NULL;
    g_clear_pointer(&value, g_variant_unref);
    return paths;
}

/* Connects to the bus at an address. Returns NULL on failure. Flags are named in C alone: Swift can't import those that a
   GLib marks with the version that they are from. */
static inline GDBusConnection *lanyard_connect(const char *address, GCancellable *cancellable, GError **error)
{
    return g_dbus_connection_new_for_address_sync(address,
        (GDBusConnectionFlags)(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION), NULL, cancellable, error);
}

static inline GVariant *lanyard_call_bus(GDBusConnection *connection, const char *method, GVariant *arguments,
    GCancellable *cancellable, GError **error)
{
    return g_dbus_connection_call_sync(connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus", method, arguments, NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT, cancellable, error);
}

/* Returns the unique name behind a name, to be freed. */
static inline char *lanyard_name_owner(GDBusConnection *connection, const char *name, GCancellable *cancellable,
    GError **error)
{
    char *owner = NULL;
    GVariant *answer = lanyard_call_bus(connection, "GetNameOwner", g_variant_new("(s)", name), cancellable, error);
    if (answer && g_variant_is_of_type(answer, G_VARIANT_TYPE("(s)")))
        g_variant_get(answer, "(s)", &owner);
    g_clear_pointer(&answer, g_variant_unref);
    return owner;
}

/* Returns the unique names of the programs that own a name or wait for it, to be freed: none, but no error, if the name
   has no owner. */
static inline char **lanyard_name_owners(GDBusConnection *connection, const char *name, GCancellable *cancellable,
    GError **error)
{
    char **owners = NULL;
    GError *failure = NULL;
    GVariant *answer =
        lanyard_call_bus(connection, "ListQueuedOwners", g_variant_new("(s)", name), cancellable, &failure);
    if (answer && g_variant_is_of_type(answer, G_VARIANT_TYPE("(as)")))
        g_variant_get(answer, "(^as)", &owners);
    g_clear_pointer(&answer, g_variant_unref);
    if (g_error_matches(failure, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER))
        g_clear_error(&failure);
    if (failure)
        g_propagate_error(error, failure);
    return owners;
}

/* Returns the process behind a unique name, 0 if the bus does not know it. */
static inline guint32 lanyard_process(GDBusConnection *connection, const char *name, GCancellable *cancellable,
    GError **error)
{
    guint32 process = 0;
    GVariant *answer =
        lanyard_call_bus(connection, "GetConnectionUnixProcessID", g_variant_new("(s)", name), cancellable, error);
    if (answer && g_variant_is_of_type(answer, G_VARIANT_TYPE("(u)")))
        g_variant_get(answer, "(u)", &process);
    g_clear_pointer(&answer, g_variant_unref);
    return process;
}

/* Returns the names whose programs the bus can start, to be freed. */
static inline char **lanyard_activatable_names(GDBusConnection *connection, GCancellable *cancellable, GError **error)
{
    char **names = NULL;
    GVariant *answer = lanyard_call_bus(connection, "ListActivatableNames", NULL, cancellable, error);
    if (answer && g_variant_is_of_type(answer, G_VARIANT_TYPE("(as)")))
        g_variant_get(answer, "(^as)", &names);
    g_clear_pointer(&answer, g_variant_unref);
    return names;
}

/* Starts the program behind a name. */
static inline gboolean lanyard_start(GDBusConnection *connection, const char *name, GCancellable *cancellable,
    GError **error)
{
    GVariant *answer =
        lanyard_call_bus(connection, "StartServiceByName", g_variant_new("(su)", name, 0), cancellable, error);
    g_clear_pointer(&answer, g_variant_unref);
    return !error || !*error;
}

/* Returns whether a program gives a sign of life within some milliseconds. D-Bus libraries answer in a thread of their
   own, even while the program is busy. */
static inline gboolean lanyard_ping(GDBusConnection *connection, const char *name, int milliseconds)
{
    GError *error = NULL;
    GVariant *answer = g_dbus_connection_call_sync(connection, name, "/org/freedesktop/DBus",
        "org.freedesktop.DBus.Peer", "Ping", NULL, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, milliseconds, NULL, &error);
    gboolean is_alive = answer || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD)
        || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_OBJECT)
        || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_INTERFACE);
    g_clear_pointer(&answer, g_variant_unref);
    g_clear_error(&error);
    return is_alive;
}

#endif
