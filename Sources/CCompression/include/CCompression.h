// Streams of gzip (zlib) and Zstandard (libzstd), behind one interface.
//
// zlib is linked, as it is for HTTP. libzstd is loaded when it is first needed: few flows use it, and its functions,
// declared in CCompression.c, have not changed since version 1.4. So it needs no development package.
#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#include <stddef.h>
#include <stdint.h>

enum {
  ccompression_gzip = 0,
  ccompression_zstd = 1,
  /// The content of a zip archive's members (RFC 1951): only decoded.
  ccompression_deflate = 2,
};

/// The outcome of a step.
enum {
  /// The step needs more input, or more room for output.
  ccompression_more = 0,
  /// A member (gzip) or a frame (zstd) has ended after the consumed input.
  ccompression_end = 1,
  /// The input is not of the format; the coder cannot be used any more.
  ccompression_damaged = 2,
};

typedef struct ccompression_coder ccompression_coder;

/// Whether libzstd could be loaded; loads it with the first call. Any thread may call it.
int ccompression_loads_zstd(void);
/// Why libzstd could not be loaded.
const char *ccompression_zstd_failure(void);

/// Creates a coder; NULL without memory or without the library of the format. One thread at a time may use it.
ccompression_coder *ccompression_encoder(int format);
ccompression_coder *ccompression_decoder(int format);
void ccompression_free(ccompression_coder *coder);

/// Compresses or decompresses as much as the input and the room for output permit.
///
/// On return, `input_count` has the number of bytes that were read, `output_count` of those that were written. An encoder
/// with `finishes` ends its stream when it returns `ccompression_end`. A decoder goes on with the next member or frame.
int ccompression_step(
  ccompression_coder *coder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count,
  int finishes);

/// The CRC-32 of bytes that follow others, of which it is `sum`; `sum` is 0 for the first ones.
uint32_t ccompression_crc32(uint32_t sum, const uint8_t *bytes, size_t count);

/// What is wrong with damaged input; NULL when the library does not say it. Valid until the next step.
const char *ccompression_message(const ccompression_coder *coder);

#endif
