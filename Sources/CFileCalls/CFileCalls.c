#define _GNU_SOURCE
#include "CFileCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#ifdef __APPLE__
uint64_t reactor_commit(void) { return 0; }
#else
// Not a variable: its address is the number.
extern const char reactor_commit_number __attribute__((weak));

uint64_t reactor_commit(void) { return (uint64_t)(uintptr_t)&reactor_commit_number; }
#endif

int reactor_openat(int directory, const char *path, int flags, unsigned int mode) {
  int result;
  do {
    result = openat(directory, path, flags | O_CLOEXEC, (mode_t)mode);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

#ifdef O_TMPFILE

int reactor_open_unnamed(int directory, unsigned int mode) {
  return reactor_openat(directory, ".", O_TMPFILE | O_RDWR, mode);
}

int reactor_name_file(int file, int directory, const char *name) {
  if (linkat(file, "", directory, name, AT_EMPTY_PATH) == 0) return 0;
  // Before Linux 6.10 this call needs a privileged process; for other processes it fails with ENOENT.
  if (errno != ENOENT) return -errno;
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : -errno;
}

#else

int reactor_open_unnamed(int directory, unsigned int mode) {
  (void)directory; (void)mode;
  return -EOPNOTSUPP;
}

int reactor_name_file(int file, int directory, const char *name) {
  (void)file; (void)directory; (void)name;
  return -EOPNOTSUPP;
}

#endif

#ifdef F_OFD_SETLK

static int lock_call(int file, int command, struct flock *lock) {
  int result;
  do {
    result = fcntl(file, command, lock);
  } while (result < 0 && errno == EINTR);
  if (result >= 0) return 0;
  return errno == EACCES ? -EAGAIN : -errno; // POSIX allows either for "held by another"
}

static struct flock one_byte(int64_t offset, short type) {
  struct flock lock = {0}; // l_pid must be 0 for these locks
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = (off_t)offset;
  lock.l_len = 1;
  return lock;
}

int reactor_lock_byte(int file, int64_t offset, int exclusive) {
  struct flock lock = one_byte(offset, exclusive ? F_WRLCK : F_RDLCK);
  return lock_call(file, F_OFD_SETLK, &lock);
}

int reactor_unlock_byte(int file, int64_t offset) {
  struct flock lock = one_byte(offset, F_UNLCK);
  return lock_call(file, F_OFD_SETLK, &lock);
}

int reactor_byte_is_locked(int file, int64_t offset) {
  struct flock lock = one_byte(offset, F_WRLCK);
  int result = lock_call(file, F_OFD_GETLK, &lock);
  return result < 0 ? result : lock.l_type != F_UNLCK;
}

#else

int reactor_lock_byte(int file, int64_t offset, int exclusive) {
  (void)file; (void)offset; (void)exclusive;
  return -ENOLCK;
}

int reactor_unlock_byte(int file, int64_t offset) {
  (void)file; (void)offset;
  return -ENOLCK;
}

int reactor_byte_is_locked(int file, int64_t offset) {
  (void)file; (void)offset;
  return -ENOLCK;
}

#endif

int reactor_sync(int file) {
  int result;
  do {
#ifdef F_FULLFSYNC
    result = fcntl(file, F_FULLFSYNC);
#else
    result = fsync(file);
#endif
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : 0;
}

void reactor_begin_sync(int file) {
#ifdef __linux__
  (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void)file;
#endif
}

int reactor_program_path(uint8_t *path, size_t size) {
#ifdef __APPLE__
  char name[4096];
  uint32_t room = sizeof name;
  if (_NSGetExecutablePath(name, &room) != 0) return -ENAMETOOLONG;
#else
  const char *name = "/proc/self/exe";
#endif
  char *found = realpath(name, NULL);
  if (found == NULL) return -errno;
  size_t length = strlen(found);
  int fits = length <= size;
  if (fits) memcpy(path, found, length);
  free(found);
  return fits ? (int)length : -ENAMETOOLONG;
}

int reactor_exchange(const char *one, const char *other) {
#if defined(__APPLE__)
  return renamex_np(one, other, RENAME_SWAP) == 0 ? 0 : -errno;
#else
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : -errno;
#endif
}
