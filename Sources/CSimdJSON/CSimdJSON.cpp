#include "CSimdJSON.h"

#include <memory>
#include <new>
#include <simdjson.h>
#include <string>

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

namespace {

csj_status status_of(simdjson::error_code error) {
  switch (error) {
  case simdjson::SUCCESS:
  case simdjson::EMPTY: return CSJ_OK;
  case simdjson::UTF8_ERROR: return CSJ_INVALID_UTF8;
  case simdjson::UNESCAPED_CHARS: return CSJ_CONTROL_CHARACTER;
  case simdjson::UNCLOSED_STRING: return CSJ_OPEN_STRING;
  default: return CSJ_REFUSED;
  }
}

// Where a window can probably be cut outside of a string: after the last "}," or "}\n" of its last 64 KiB. A guess only:
// the stage itself says when it was wrong.
size_t likely_cut(const uint8_t *text, size_t length) {
  size_t stop = length > 65536 ? length - 65536 : 1;
  for (size_t i = length - 1; i > stop; i--) {
    if ((text[i] == ',' || text[i] == '\n') && text[i - 1] == '}') { return i + 1; }
  }
  return 0;
}

bool reserve(csj_indexer &indexer, size_t length) {
  if (length <= indexer.capacity) { return true; }
  size_t capacity = indexer.capacity ? indexer.capacity : 4096;
  while (capacity < length) { capacity *= 2; }
  if (capacity > 0xFFFFFFC0ull) { capacity = 0xFFFFFFC0ull; }
  if (length > capacity) { return false; }
  indexer.stage.reset();
  indexer.capacity = 0;
  // The depth only sizes the second stage's stack, which is not used here.
  if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, indexer.stage) !=
      simdjson::SUCCESS) {
    return false;
  }
  indexer.capacity = capacity;
  return true;
}

} // namespace

extern "C" csj_status csj_index(csj_indexer *indexer, const uint8_t *text, size_t length, int is_final,
                                const uint32_t **positions, size_t *count, size_t *end) {
  static const uint32_t nothing[1] = {0};
  *positions = nothing;
  *count = 0;
  *end = 0;
  if (length == 0) { return CSJ_OK; }
  if (!reserve(*indexer, length)) { return CSJ_NO_MEMORY; }
  auto &stage = *indexer->stage;
  uint32_t *index = stage.structural_indexes.get();
  size_t n = 0;
  size_t cut = is_final ? length : likely_cut(text, length);
  csj_status status = CSJ_OPEN_STRING;
  if (cut > 0) {
    auto error = stage.stage1(text, cut, simdjson::stage1_mode::regular);
    status = status_of(error);
    n = error == simdjson::SUCCESS ? stage.n_structural_indexes : 0;
  }
  if (status == CSJ_OPEN_STRING && !is_final) {
    // No safe cut: the streaming mode takes a window that ends inside a string. It also cuts the index back to the last
    // complete document, which is no use for elements between commas, so the true count is read from the end mark that
    // the stage leaves (the entry after the last equals the length), and the text is checked for UTF-8 here, which that
    // mode does not do on every path.
    cut = length;
    stage.n_structural_indexes = 0;
    index[0] = UINT32_MAX;
    auto error = stage.stage1(text, length, simdjson::stage1_mode::streaming_partial);
    status = error == simdjson::CAPACITY ? CSJ_OK : status_of(error);
    if (status == CSJ_OK && !csj_is_utf8(text, length)) { status = CSJ_INVALID_UTF8; }
    if (status == CSJ_OK && index[0] != UINT32_MAX) {
      n = stage.n_structural_indexes;
      while (index[n] < length) { n++; }
    }
  }
  if (status != CSJ_OK) { return status; }
  // The walk asks for the token after the last one: it must find the zero byte after the window, not the cut.
  index[n] = static_cast<uint32_t>(length);
  index[n + 1] = static_cast<uint32_t>(length);
  *positions = index;
  *count = n;
  *end = cut;
  return CSJ_OK;
}

#define CSJ_TEXT(token) #token
#define CSJ_VALUE(macro) CSJ_TEXT(macro)

extern "C" const char *csj_version(void) {
  static const std::string text =
      std::string(CSJ_VALUE(SIMDJSON_VERSION)) + " (" + simdjson::get_active_implementation()->name() + ")";
  return text.c_str();
}
