#include "CHeap.h"

// __GLIBC__ is defined by any header of the C library.
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void reactor_heaps_grow_by(int bytes) {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, bytes);
  mallopt(M_TRIM_THRESHOLD, 2 * bytes);
#else
  (void)bytes;
#endif
}
