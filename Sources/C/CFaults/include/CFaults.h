#ifndef LANYARD_CFAULTS_H
#define LANYARD_CFAULTS_H

/* Makes the process end with one line on standard error: with a status when memory runs out, and by the signal of a trap,
   SIGILL or SIGTRAP. */
void lanyard_end_in_one_line_at_faults(int status);

#endif
