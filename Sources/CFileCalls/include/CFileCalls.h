// The file calls that Swift cannot import (they are variadic in C) or that differ between systems.
// Every function returns its result, or a negative errno: nothing in between can then overwrite errno.
#ifndef C_FILE_CALLS_H
#define C_FILE_CALLS_H

#include <stdint.h>

/// openat(2), repeated when a signal interrupts it; always close-on-exec.
int reactor_openat(int directory, const char *path, int flags, unsigned int mode);

/// Makes a file in a folder that has no name yet, open for reading and writing; it is gone when it is closed.
/// -EOPNOTSUPP, -EISDIR or -EINVAL where the system or the file system cannot do that.
int reactor_open_unnamed(int directory, unsigned int mode);

/// Gives a file made by `reactor_open_unnamed` a name, in one step. -EEXIST when something stands there.
int reactor_name_file(int file, int directory, const char *name);

/// Tries to take a lock on one byte for the open file description (not the process); never waits.
/// -EAGAIN when another description holds it. `offset` must not be negative.
int reactor_lock_byte(int file, int64_t offset, int exclusive);

/// Gives the lock on one byte back.
int reactor_unlock_byte(int file, int64_t offset);

/// 1 when another open file description holds a lock on the byte, 0 when none does.
int reactor_byte_is_locked(int file, int64_t offset);

/// fsync(2), or on Darwin its form that reaches the medium. Interrupted calls are repeated, failed ones never.
int reactor_sync(int file);

/// Begins to write a file's content to the medium and waits for nothing. Only a hint: `reactor_sync` reports its errors. Does nothing where the system has no such call.
void reactor_begin_sync(int file);

#endif
