// MADV_HUGEPAGE, sbrk and dl_iterate_phdr are extensions.
#define _GNU_SOURCE
#include "CHeap.h"

// __GLIBC__ is defined by any header of the C library.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <link.h>
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

#ifdef __GLIBC__
// Whether the loader has written into what is mapped as read-only: that would be lost.
static int reactor_is_relocated_in_place(const struct dl_phdr_info *object, const ElfW(Phdr) *dynamic) {
  const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + dynamic->p_vaddr);
  for (; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return 1;
  }
  return 0;
}

// Parts smaller than this stay: each call stops all threads for a moment, which is worth more than they hold.
static const uintptr_t reactor_least_dropped = (uintptr_t)512 << 10;

static int reactor_drop_constant_pages(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  for (int place = 0; place < object->dlpi_phnum; place++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[place];
    if (part->p_type == PT_DYNAMIC && reactor_is_relocated_in_place(object, part)) return 0;
  }
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int place = 0; place < object->dlpi_phnum; place++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[place];
    if (part->p_type != PT_LOAD || (part->p_flags & (PF_W | PF_X))) continue;
    // Whole pages inside of the segment: what shares a page with another one is left alone.
    uintptr_t from = (object->dlpi_addr + part->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t to = (object->dlpi_addr + part->p_vaddr + part->p_filesz) & ~(page - 1);
    if (from < to && to - from >= reactor_least_dropped) (void)madvise((void *)from, to - from, MADV_DONTNEED);
  }
  return 0;
}
#endif

void reactor_constants_are_given_back(void) {
#ifdef __GLIBC__
  dl_iterate_phdr(reactor_drop_constant_pages, NULL);
#endif
}
