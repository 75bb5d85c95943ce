/*
 * libsecret-stores CREDENTIALS
 *
 * Stores the logins of a file of git-credential-store in the Secret Service, as git-credential-libsecret does: one
 * call of libsecret for each, all over one connection.
 */
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int is_right, GError *error)
{
    if (is_right && !error)
        return;
    fprintf(stderr, "libsecret-stores: %s\n", error ? error->message : "bad input");
    exit(1);
}

int main(int count, char **arguments)
{
    static const char prefix[] = "https://";
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    long stored = 0;
    FILE *file;

    check(count == 2, NULL);
    file = fopen(arguments[1], "r");
    check(file != NULL, NULL);
    while ((length = getline(&line, &capacity, file)) > 0) {
        char *user, *password, *server, *label;
        GError *error = NULL;

        if (line[length - 1] == '\n')
            line[--length] = '\0';
        check(strncmp(line, prefix, sizeof prefix - 1) == 0, NULL);
        user = line + sizeof prefix - 1;
        password = strchr(user, ':');
        check(password != NULL, NULL);
        *password++ = '\0';
        server = strchr(password, '@');
        check(server != NULL, NULL);
        *server++ = '\0';
        label = g_strdup_printf("Git: https://%s/", server);
        secret_password_store_sync(
            SECRET_SCHEMA_COMPAT_NETWORK, SECRET_COLLECTION_DEFAULT, label, password, NULL, &error,
            "protocol", "https", "server", server, "user", user, NULL);
        check(1, error);
        g_free(label);
        stored++;
    }
    printf("%ld new\n", stored);
    return 0;
}
