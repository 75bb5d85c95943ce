#ifndef LANYARD_COUTOFMEMORY_H
#define LANYARD_COUTOFMEMORY_H

/* Makes the process end with one line on standard error and a status when memory runs out. */
void lanyard_end_in_one_line_without_memory(int status);

#endif
