// MADV_HUGEPAGE and sbrk are extensions.
#define _GNU_SOURCE
#include "CHeap.h"

// __GLIBC__ is defined by any header of the C library.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif

void reactor_heaps_grow_by(int bytes) {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, bytes);
  mallopt(M_TRIM_THRESHOLD, 2 * bytes);
#else
  (void)bytes;
#endif
}

void reactor_heap_takes_large_pages(void) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  // The heap of any thread but the first lies in a region of this size, aligned to it; the first thread's ends at the
  // break. Advice about anything else that lay there would do no harm.
  const uintptr_t region = (uintptr_t)64 << 20;
  void *piece = malloc(64);
  if (!piece) return;
  uintptr_t from = (uintptr_t)piece & ~(region - 1), to = from + region, end = (uintptr_t)sbrk(0);
  if ((uintptr_t)piece < end && end - (uintptr_t)piece < ((uintptr_t)1 << 40)) {
    from = (uintptr_t)piece & ~(uintptr_t)4095;
    to = end & ~(uintptr_t)4095;
  }
  if (from < to) (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
  free(piece);
#endif
}
