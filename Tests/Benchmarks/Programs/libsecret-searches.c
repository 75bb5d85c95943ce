/*
 * libsecret-searches COUNT SERVER USER
 *
 * Searches the Secret Service for a login that is there once, as often as COUNT says, all over one connection, and
 * prints the label: of a program that searches once, most of the time is its own start.
 */
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int is_right, GError *error)
{
    if (is_right && !error)
        return;
    fprintf(stderr, "libsecret-searches: %s\n", error ? error->message : "bad input or not one login");
    exit(1);
}

int main(int count, char **arguments)
{
    GHashTable *attributes;
    char *label = NULL;
    long rest;

    check(count == 4, NULL);
    attributes = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(attributes, "server", arguments[2]);
    g_hash_table_insert(attributes, "user", arguments[3]);
    for (rest = atol(arguments[1]); rest > 0; rest--) {
        GError *error = NULL;
        GList *items = secret_service_search_sync(
            NULL, SECRET_SCHEMA_COMPAT_NETWORK, attributes, SECRET_SEARCH_ALL, NULL, &error);

        check(g_list_length(items) == 1, error);
        g_free(label);
        label = secret_item_get_label(items->data);
        g_list_free_full(items, g_object_unref);
    }
    check(label != NULL, NULL);
    printf("%s\n", label);
    return 0;
}
