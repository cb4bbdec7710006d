#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The structural index of a window of JSON text: where each bracket, brace, colon, comma, opening quote and the first
/// byte of every other token stands, found by simdjson's first stage. One call per window, none per field.
typedef struct csj_indexer csj_indexer;

typedef enum {
  CSJ_OK = 0,
  /// No memory for a window of this size.
  CSJ_NO_MEMORY = 1,
  /// The window is not valid UTF-8.
  CSJ_INVALID_UTF8 = 2,
  /// A string holds an unescaped control character.
  CSJ_CONTROL_CHARACTER = 3,
  /// The window is final and ends inside a string.
  CSJ_OPEN_STRING = 4,
  /// Anything else that simdjson refuses.
  CSJ_REFUSED = 5,
} csj_status;

/// A new indexer, or NULL without memory. Not to be used by two threads at once.
csj_indexer *csj_indexer_create(void);
void csj_indexer_destroy(csj_indexer *indexer);

/// Indexes `length` bytes at `text` (at most 4 GiB - 64), which 64 readable bytes must follow.
///
/// With `is_final` the whole window is indexed, and it must not end inside a string. Otherwise the window may end anywhere
/// but inside a UTF-8 sequence, and a tail of it may be left for the next window: `*end` is how many bytes were indexed.
/// On CSJ_OK `*positions` holds `*count` offsets in rising order, followed by one entry equal to `length`; they stay valid
/// until the next call. A window that ends inside a string has its opening quote as the last offset.
csj_status csj_index(csj_indexer *indexer, const uint8_t *text, size_t length, int is_final, const uint32_t **positions,
                     size_t *count, size_t *end);

/// Whether the bytes are valid UTF-8: 1 or 0.
int csj_is_utf8(const uint8_t *text, size_t length);

/// The library's version and the implementation chosen for this machine, as `3.0.1 (haswell)`; lives as long as the
/// process.
const char *csj_version(void);

#ifdef __cplusplus
}
#endif
#endif
