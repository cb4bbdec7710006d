// How the C library's heaps grow, which its Swift module leaves out.
#ifndef C_HEAP_H
#define C_HEAP_H

/// Lets every heap take `bytes` of address space at once, and keeps what is freed for later use. Does nothing where the
/// C library is not glibc.
void reactor_heaps_grow_by(int bytes);

#endif
