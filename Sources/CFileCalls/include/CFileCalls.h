// Wrappers for file calls that Swift cannot import because they are variadic in C, or that differ between systems.
//
// Every function returns its result or a negative errno value, so no later call can overwrite the error.
#ifndef C_FILE_CALLS_H
#define C_FILE_CALLS_H

#include <stddef.h>
#include <stdint.h>

/// Calls openat(2), and repeats it when a signal interrupts it. The file is always close-on-exec.
int reactor_openat(int directory, const char *path, int flags, unsigned int mode);

/// Creates a file without a name in a folder, open for reading and writing.
///
/// Closing the file deletes it unless it has got a name. Returns -EOPNOTSUPP, -EISDIR or -EINVAL where the system or
/// the file system does not support such files.
int reactor_open_unnamed(int directory, unsigned int mode);

/// Gives a name to a file that `reactor_open_unnamed` created, in one step.
///
/// Returns -EEXIST when the name already exists.
int reactor_name_file(int file, int directory, const char *name);

/// Tries to lock one byte for the open file description (not for the process); never waits.
///
/// Returns -EAGAIN when another open file description holds the lock. `offset` must not be negative.
int reactor_lock_byte(int file, int64_t offset, int exclusive);

/// Releases the lock on one byte.
int reactor_unlock_byte(int file, int64_t offset);

/// Returns 1 when another open file description holds a lock on the byte, else 0.
int reactor_byte_is_locked(int file, int64_t offset);

/// Calls fsync(2), or on Darwin the variant that reaches the medium.
///
/// Repeats interrupted calls, but never failed calls.
int reactor_sync(int file);

/// Starts to write a file's content to the medium, without waiting.
///
/// The call is only a hint: `reactor_sync` reports its errors. The call does nothing where the system has no such
/// function.
void reactor_begin_sync(int file);

/// Stores the path of the program that runs, without symbolic links and without a closing zero; returns its length.
///
/// Returns -ENAMETOOLONG when the path is longer than `size` bytes, and -ENOENT when the file of the program has been
/// deleted or /proc is not there.
int reactor_program_path(uint8_t *path, size_t size);

/// Starts a program in a process group of its own, without a shell; returns its process id.
///
/// `words` has its name, which is sought on PATH unless it has a slash, and its arguments; `environment` has texts
/// `NAME=VALUE`. Both end with NULL. `streams` gets this end of its input, output and error stream; they do not block.
/// No signal is blocked in the program, and SIGINT, SIGTERM and SIGPIPE have their usual effect.
int reactor_start_program(char *const words[], char *const environment[], int streams[3]);

/// Returns 1 when a program of this process has ended, else 0. Its id stays its own until `waitpid` is called.
int reactor_program_has_ended(int program);

/// Returns the first 64 bits of the commit from which the program was built, or 0 where they are not known.
///
/// The linker sets them (`scripts/build`), so that another commit compiles nothing anew.
uint64_t reactor_commit(void);

/// Exchanges two files or folders in one step. Returns -EINVAL or -ENOSYS where the file system cannot do that.
int reactor_exchange(const char *one, const char *other);

#endif
