/* C, because Swift emits no function that a signal may call, and can't replace C's stderr. */
#define _GNU_SOURCE
#include "COutOfMemory.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int exit_status = 1;
/* What was done after a fault before. */
static struct sigaction usual_fault;

static void end_process(void) {
    static const char line[] = "lanyard: error: not enough memory\n";
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
    _exit(exit_status);
}

/* Writes to standard error what a library says; the Swift runtime and the C++ library say so before they
   end a process that has no memory left. */
static ssize_t write_error(void *cookie, const char *bytes, size_t count) {
    char text[256];
    size_t shown = count < sizeof text ? count : sizeof text - 1;
    (void)cookie;
    memcpy(text, bytes, shown);
    text[shown] = 0;
    if (strstr(text, "failed to allocate") || strstr(text, "bad_alloc"))
        end_process();
    return write(STDERR_FILENO, bytes, count);
}

/* A fault just after an allocation failed: a library took the null pointer for memory. Any other fault
   happens again, and has its usual end. */
static void handle_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_code > 0 && errno == ENOMEM && (uintptr_t)info->si_addr < 4096)
        end_process();
    sigaction(signal, &usual_fault, NULL);
    /* One that somebody has sent does not happen again. */
    if (info->si_code <= 0)
        raise(signal);
}

void lanyard_end_in_one_line_without_memory(int status) {
    cookie_io_functions_t functions = {.write = write_error};
    struct sigaction action = {.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    FILE *stream = fopencookie(NULL, "w", functions);
    exit_status = status;
    if (stream) {
        setvbuf(stream, NULL, _IONBF, 0);
        stderr = stream;
    }
    sigaction(SIGSEGV, &action, &usual_fault);
}
