/*
 * peak-memory FILE PROGRAM ARGUMENT...
 *
 * Runs the program and writes to FILE the most memory that it had, in KiB (ru_maxrss of wait4).
 *
 * A process carries the peak of what it was before exec along, so a large parent would hide a small
 * child. This one is linked statically and has nothing in memory: what it adds is less than an
 * empty program has.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    struct rusage usage;
    FILE *file;
    pid_t child;
    int status;

    if (count < 3)
        return 2;
    child = fork();
    if (child == 0) {
        execv(arguments[2], arguments + 2);
        _exit(127);
    }
    if (child == -1 || wait4(child, &status, 0, &usage) != child)
        return 1;
    file = fopen(arguments[1], "w");
    if (file == NULL || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || fclose(file) != 0)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
