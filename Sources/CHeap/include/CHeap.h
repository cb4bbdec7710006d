// How the C library's heaps grow, which its Swift module leaves out.
#ifndef C_HEAP_H
#define C_HEAP_H

/// Lets every heap take `bytes` of address space at once, and keeps what is freed for later use. Does nothing where the
/// C library is not glibc.
void reactor_heaps_grow_by(int bytes);

/// Asks the kernel for large pages where the calling thread allocates from now on: fewer page faults, and up to 2 MiB
/// more memory used per heap. Advice only; does nothing where the kernel or the C library has no such thing.
void reactor_heap_takes_large_pages(void);

#endif
