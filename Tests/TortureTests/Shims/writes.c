// Makes the Nth write to a file below a folder fail, once or from then on: the tracer can choose calls by path, but not
// by a path that is random. Built and loaded by FaultTests with LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int seen;

static int is_below(int file, const char *folder) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t prefix = strlen(folder);
  return strncmp(path, folder, prefix) == 0 && path[prefix] == '/';
}

ssize_t write(int file, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  const char *folder = getenv("WRITES_BELOW"), *error = getenv("WRITES_ERROR");
  const char *when = getenv("WRITES_WHEN"), *log = getenv("WRITES_LOG");
  if (folder && error && when && log && is_below(file, folder)) {
    int number = atomic_fetch_add(&seen, 1) + 1, chosen = atoi(when);
    if (number == chosen || (number > chosen && strchr(when, '+'))) {
      FILE *told = fopen(log, "a");
      if (told) {
        fputs("write (INJECTED)\n", told);
        fclose(told);
      }
      errno = atoi(error);
      return -1;
    }
  }
  return next(file, bytes, count);
}
