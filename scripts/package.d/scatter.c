// Loaded before the other libraries of a program, lays its memory out at random: each block is longer than asked for by 0 to
// 720 bytes. A compiler that decides by the order of addresses then gives other code, and does so far more often than by itself.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

extern void *__libc_malloc(size_t);

void *malloc(size_t size) {
  static __thread uint64_t state;
  if (!state) {
    if (getrandom(&state, sizeof state, 0) != sizeof state) state = (uintptr_t)&state;
    state |= 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return __libc_malloc(size + ((state >> 20) & 15) * 48);
}
