#include "CSimdJSON.h"

#include <memory>
#include <new>
#include <simdjson.h>

// simdjson's first stage is used alone: it finds tokens at memory speed, and the walk over them (types, limits, exact
// numbers, positions of errors) is ours. The stage is reached through the same interface that simdjson's own On-Demand
// front end uses.
struct csj_indexer {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
  size_t capacity = 0;
};

extern "C" csj_indexer *csj_indexer_create(void) { return new (std::nothrow) csj_indexer(); }

extern "C" void csj_indexer_destroy(csj_indexer *indexer) { delete indexer; }

extern "C" int csj_is_utf8(const uint8_t *text, size_t length) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(text), length) ? 1 : 0;
}

extern "C" csj_status csj_index(csj_indexer *indexer, const uint8_t *text, size_t length, const uint32_t **positions,
                                size_t *count) {
  static const uint32_t nothing[1] = {0};
  *positions = nothing;
  *count = 0;
  if (length == 0) { return CSJ_OK; }
  if (length > indexer->capacity) {
    size_t capacity = indexer->capacity ? indexer->capacity : 4096;
    while (capacity < length) { capacity *= 2; }
    if (capacity > 0xFFFFFFC0ull) { capacity = 0xFFFFFFC0ull; }
    if (length > capacity) { return CSJ_NO_MEMORY; }
    indexer->stage.reset();
    indexer->capacity = 0;
    // The depth only sizes the second stage's stack, which is not used here.
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, indexer->stage) !=
        simdjson::SUCCESS) {
      return CSJ_NO_MEMORY;
    }
    indexer->capacity = capacity;
  }
  auto &stage = *indexer->stage;
  // A window may end inside a string or a record, which only the streaming mode allows. That mode also cuts the index
  // back to the last complete document, which is no use for a window of elements between commas, so the true count is
  // read from the end marks that the stage leaves: entries n and n + 1 equal the length.
  stage.n_structural_indexes = 0;
  stage.structural_indexes[0] = UINT32_MAX;
  auto error = stage.stage1(text, length, simdjson::stage1_mode::streaming_partial);
  switch (error) {
  case simdjson::SUCCESS:
  case simdjson::CAPACITY:
  case simdjson::EMPTY:
    break;
  case simdjson::UTF8_ERROR: return CSJ_INVALID_UTF8;
  case simdjson::UNESCAPED_CHARS: return CSJ_CONTROL_CHARACTER;
  default: return CSJ_REFUSED;
  }
  // The checker's verdict is not given on every path above.
  if (error != simdjson::SUCCESS && !csj_is_utf8(text, length)) { return CSJ_INVALID_UTF8; }
  const uint32_t *index = stage.structural_indexes.get();
  size_t n = 0;
  if (index[0] != UINT32_MAX) {
    n = stage.n_structural_indexes;
    while (index[n] < length) { n++; }
  }
  *positions = index;
  *count = n;
  return CSJ_OK;
}
