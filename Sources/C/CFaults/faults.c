/* C, because Swift can't emit a signal handler, and can't replace C's stderr. */
#define _GNU_SOURCE
#include "CFaults.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int exit_status = 1;
/* The previous action after a fault. */
static struct sigaction usual_fault;

static void end_process(void) {
    static const char line[] = "lanyard: error: not enough memory\n";
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
    _exit(exit_status);
}

/* Writes a library's messages to standard error, and ends the process at one about memory: the Swift runtime and the
   C++ library print one before they end a process without memory. */
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

/* Handles a fault just after a failed allocation: a library used the null pointer as memory. Any other fault happens
   again, with its usual result. */
static void handle_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_code > 0 && errno == ENOMEM && (uintptr_t)info->si_addr < 4096)
        end_process();
    sigaction(signal, &usual_fault, NULL);
    /* A signal sent by a process does not happen again without this. */
    if (info->si_code <= 0)
        raise(signal);
}

/* Handles a trap: the same instruction then ends the process. */
static void handle_trap(int signal, siginfo_t *info, void *context) {
    static const char line[] = "lanyard: error: stopped by a fault in lanyard itself\n";
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
    (void)context;
    /* A signal sent by a process does not happen again without this. */
    if (info->si_code <= 0)
        raise(signal);
}

void lanyard_end_in_one_line_at_faults(int status) {
    cookie_io_functions_t functions = {.write = write_error};
    struct sigaction action = {.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction trap = {.sa_sigaction = handle_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    FILE *stream = fopencookie(NULL, "w", functions);
    exit_status = status;
    if (stream) {
        setvbuf(stream, NULL, _IONBF, 0);
        stderr = stream;
    }
    sigaction(SIGSEGV, &action, &usual_fault);
    sigaction(SIGILL, &trap, NULL);
    sigaction(SIGTRAP, &trap, NULL);
}
