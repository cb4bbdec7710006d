// Counts the calls that change or open what is below a folder, and lets the Nth be the last one, or fail, or fail from then
// on. The counter is one for all threads, other than the tracer's, so that every call has its own number. Built and loaded
// by CallShim with LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int seen;
static char below[PATH_MAX], kinds[256], when[32], target[PATH_MAX];
static int cause;

__attribute__((constructor)) static void prepare(void) {
  const char *text = getenv("CALLS_BELOW");
  // As the links below /proc tell it.
  if (text && !realpath(text, below)) snprintf(below, sizeof below, "%s", text);
  if ((text = getenv("CALLS_KINDS"))) snprintf(kinds, sizeof kinds, ",%s,", text);
  if ((text = getenv("CALLS_WHEN"))) snprintf(when, sizeof when, "%s", text);
  if ((text = getenv("CALLS_LOG"))) snprintf(target, sizeof target, "%s", text);
  if ((text = getenv("CALLS_ERROR"))) cause = atoi(text);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int starts(const char *path) {
  size_t length = strlen(below);
  return length && strncmp(path, below, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int holds_file(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return starts(path);
}

static int holds_path(int folder, const char *path) {
  if (path[0] == '/') return starts(path);
  if (folder != AT_FDCWD) return holds_file(folder);
  char whole[PATH_MAX];
  if (!getcwd(whole, sizeof whole)) return 0;
  strncat(whole, "/", sizeof whole - strlen(whole) - 1);
  strncat(whole, path, sizeof whole - strlen(whole) - 1);
  return starts(whole);
}

// Whether this call is to fail; does not come back when it is to be the last.
static int fails(const char *kind) {
  char word[64];
  snprintf(word, sizeof word, ",%s,", kind);
  if (!when[0] || !strstr(kinds, word)) return 0;
  int number = atomic_fetch_add(&seen, 1) + 1, chosen = atoi(when);
  if (number != chosen && !(number > chosen && strchr(when, '+'))) return 0;
  int log = NEXT(open)(target, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (log >= 0) {
    char line[80];
    int length = snprintf(line, sizeof line, "%s %d\n", kind, number);
    (void)!NEXT(write)(log, line, (size_t)length);
    close(log);
  }
  if (!cause) kill(getpid(), SIGKILL);
  errno = cause;
  return 1;
}

static mode_t mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; }

int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  if (holds_path(folder, path) && fails("openat")) return -1;
  if ((flags & O_TMPFILE) == O_TMPFILE && holds_path(folder, path) && fails("unnamed")) return -1;
  return NEXT(openat)(folder, path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  if (holds_path(AT_FDCWD, path) && fails("openat")) return -1;
  return NEXT(open)(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (file > 2 && holds_file(file) && fails("write")) return -1;
  return NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  if (holds_file(file) && fails("write")) return -1;
  return NEXT(pwrite)(file, bytes, count, offset);
}

// The names by which SQLite calls the same, with offsets of 64 bits.
int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  if (holds_path(AT_FDCWD, path) && fails("openat")) return -1;
  return NEXT(open64)(path, flags, mode);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  if (holds_file(file) && fails("write")) return -1;
  return NEXT(pwrite64)(file, bytes, count, offset);
}

int ftruncate64(int file, off64_t size) {
  return holds_file(file) && fails("truncate") ? -1 : NEXT(ftruncate64)(file, size);
}

int fdatasync(int file) { return holds_file(file) && fails("fsync") ? -1 : NEXT(fdatasync)(file); }

int fcntl64(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (command == F_SETLK && holds_file(file) && fails("lock")) return -1;
  return NEXT(fcntl64)(file, command, argument);
}

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  return fails("send") ? -1 : NEXT(send)(socket, bytes, count, flags);
}

ssize_t recv(int socket, void *bytes, size_t count, int flags) {
  return fails("receive") ? -1 : NEXT(recv)(socket, bytes, count, flags);
}

int fsync(int file) { return holds_file(file) && fails("fsync") ? -1 : NEXT(fsync)(file); }

int rename(const char *from, const char *to) {
  return holds_path(AT_FDCWD, to) && fails("rename") ? -1 : NEXT(rename)(from, to);
}

int renameat(int one, const char *from, int other, const char *to) {
  return holds_path(other, to) && fails("rename") ? -1 : NEXT(renameat)(one, from, other, to);
}

int linkat(int one, const char *from, int other, const char *to, int flags) {
  return holds_path(other, to) && fails("link") ? -1 : NEXT(linkat)(one, from, other, to, flags);
}

int unlink(const char *path) { return holds_path(AT_FDCWD, path) && fails("unlink") ? -1 : NEXT(unlink)(path); }

int unlinkat(int folder, const char *path, int flags) {
  return holds_path(folder, path) && fails("unlink") ? -1 : NEXT(unlinkat)(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  return holds_path(folder, path) && fails("mkdir") ? -1 : NEXT(mkdirat)(folder, path, mode);
}

int mkdir(const char *path, mode_t mode) {
  return holds_path(AT_FDCWD, path) && fails("mkdir") ? -1 : NEXT(mkdir)(path, mode);
}
