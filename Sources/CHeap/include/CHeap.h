// What memory the process holds: how the C library's heaps grow, and what of the program is resident.
#ifndef C_HEAP_H
#define C_HEAP_H

/// Lets every heap take `bytes` of address space at once, and keeps what is freed for later use. Does nothing where the
/// C library is not glibc.
void reactor_heaps_grow_by(int bytes);

/// Asks the kernel for large pages where the calling thread allocates from now on: fewer page faults, and up to 2 MiB
/// more memory used per heap. Advice only; does nothing where the kernel or the C library has no such thing.
void reactor_heap_takes_large_pages(void);

/// Lets go of the resident pages of constants, the program's and its libraries'. Each one that is needed again comes back
/// from the page cache, with a fault for 64 KiB at a time; what only the start needed stays away. Code stays: most of what
/// has run runs again. Where a linker puts constants and code into one part, both stay. Does nothing where the C library
/// is not glibc.
void reactor_constants_are_given_back(void);

#endif
