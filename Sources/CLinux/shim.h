#include <sys/random.h>
