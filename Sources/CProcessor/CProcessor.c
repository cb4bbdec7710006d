#define _GNU_SOURCE
#include "CProcessor.h"

#ifdef __linux__
#include <sched.h>

int reactor_current_processor(void) { return sched_getcpu(); }
#else
int reactor_current_processor(void) { return -1; }
#endif
