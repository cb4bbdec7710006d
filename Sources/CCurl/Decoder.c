#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

// Brotli and zstd are already loaded where libcurl was built with them. Their functions are looked up and not linked,
// so the build needs no further development packages. Where a library is absent, its coding is not advertised.

typedef struct {
  const void *bytes;
  size_t size;
  size_t position;
} zstd_input;

typedef struct {
  void *bytes;
  size_t size;
  size_t position;
} zstd_output;

static struct {
  void *(*brotli_create)(void *, void *, void *);
  int (*brotli_run)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
  void (*brotli_destroy)(void *);
  void *(*zstd_create)(void);
  size_t (*zstd_set)(void *, int, int);
  size_t (*zstd_run)(void *, zstd_output *, zstd_input *);
  unsigned (*zstd_is_error)(size_t);
  size_t (*zstd_destroy)(void *);
} libraries;

static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void *open_first(const char *first, const char *second) {
  void *library = dlopen(first, RTLD_LAZY | RTLD_LOCAL);
  return library ? library : dlopen(second, RTLD_LAZY | RTLD_LOCAL);
}

static void load(void) {
  void *brotli = open_first("libbrotlidec.so.1", "libbrotlidec.dylib");
  if (brotli) {
    *(void **)&libraries.brotli_create = dlsym(brotli, "BrotliDecoderCreateInstance");
    *(void **)&libraries.brotli_run = dlsym(brotli, "BrotliDecoderDecompressStream");
    *(void **)&libraries.brotli_destroy = dlsym(brotli, "BrotliDecoderDestroyInstance");
  }
  void *zstd = open_first("libzstd.so.1", "libzstd.dylib");
  if (zstd) {
    *(void **)&libraries.zstd_create = dlsym(zstd, "ZSTD_createDStream");
    *(void **)&libraries.zstd_set = dlsym(zstd, "ZSTD_DCtx_setParameter");
    *(void **)&libraries.zstd_run = dlsym(zstd, "ZSTD_decompressStream");
    *(void **)&libraries.zstd_is_error = dlsym(zstd, "ZSTD_isError");
    *(void **)&libraries.zstd_destroy = dlsym(zstd, "ZSTD_freeDStream");
  }
}

int ccurl_decoder_is_available(int coding) {
  pthread_once(&loaded, load);
  switch (coding) {
    case ccurl_gzip:
    case ccurl_deflate:
      return 1;
    case ccurl_brotli:
      return libraries.brotli_create && libraries.brotli_run && libraries.brotli_destroy;
    case ccurl_zstd:
      return libraries.zstd_create && libraries.zstd_set && libraries.zstd_run && libraries.zstd_is_error
             && libraries.zstd_destroy;
    default:
      return 0;
  }
}

struct ccurl_decoder {
  int coding;
  int started;
  int complete;
  z_stream zlib;
  void *other;
};

ccurl_decoder *ccurl_decoder_create(int coding) {
  if (!ccurl_decoder_is_available(coding)) return NULL;
  ccurl_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->coding = coding;
  int failed = 0;
  if (coding == ccurl_gzip) failed = inflateInit2(&decoder->zlib, 15 + 16) != Z_OK;
  if (coding == ccurl_deflate) failed = inflateInit2(&decoder->zlib, 15) != Z_OK;
  if (coding == ccurl_brotli) failed = !(decoder->other = libraries.brotli_create(NULL, NULL, NULL));
  if (coding == ccurl_zstd) {
    decoder->other = libraries.zstd_create();
    // RFC 9659: content coded with zstd must not need a window of more than 8 MiB (2^23).
    failed = !decoder->other || libraries.zstd_is_error(libraries.zstd_set(decoder->other, 100, 23));
    if (failed && decoder->other) libraries.zstd_destroy(decoder->other);
  }
  if (failed) {
    free(decoder);
    return NULL;
  }
  return decoder;
}

void ccurl_decoder_destroy(ccurl_decoder *decoder) {
  if (decoder->coding == ccurl_gzip || decoder->coding == ccurl_deflate) inflateEnd(&decoder->zlib);
  if (decoder->coding == ccurl_brotli) libraries.brotli_destroy(decoder->other);
  if (decoder->coding == ccurl_zstd) libraries.zstd_destroy(decoder->other);
  free(decoder);
}

static unsigned at_most_unsigned(size_t count) { return count > 1u << 30 ? 1u << 30 : (unsigned)count; }

static int64_t run_zlib(
  ccurl_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t *output, size_t outputCount) {
  size_t written = 0;
  if (!decoder->started && *inputCount > 0) {
    decoder->started = 1;
    // RFC 9110 defines "deflate" as zlib's format, but some servers send the deflate data without the zlib header.
    int wrapped = ((*input)[0] & 0x0f) == 8 && ((*input)[0] >> 4) <= 7;
    if (decoder->coding == ccurl_deflate && !wrapped && inflateReset2(&decoder->zlib, -15) != Z_OK) return -1;
  }
  for (;;) {
    if (decoder->complete) {
      if (*inputCount == 0) return (int64_t)written;
      // RFC 1952, 2.2: a gzip file is a series of members. The header check refuses any other data that follows.
      if (decoder->coding != ccurl_gzip || inflateReset(&decoder->zlib) != Z_OK) return -1;
      decoder->complete = 0;
    }
    if (written == outputCount) return (int64_t)written;
    unsigned available = at_most_unsigned(*inputCount), room = at_most_unsigned(outputCount - written);
    decoder->zlib.next_in = (Bytef *)*input;
    decoder->zlib.avail_in = available;
    decoder->zlib.next_out = output + written;
    decoder->zlib.avail_out = room;
    int result = inflate(&decoder->zlib, Z_NO_FLUSH);
    unsigned consumed = available - decoder->zlib.avail_in, produced = room - decoder->zlib.avail_out;
    *input += consumed;
    *inputCount -= consumed;
    written += produced;
    if (result == Z_STREAM_END)
      decoder->complete = 1;
    else if (result == Z_BUF_ERROR || (result == Z_OK && consumed == 0 && produced == 0))
      return *inputCount > 0 && written < outputCount ? -1 : (int64_t)written;
    else if (result != Z_OK)
      return -1;
    else if (*inputCount == 0 && written < outputCount)
      return (int64_t)written;
  }
}

static int64_t run_brotli(
  ccurl_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t *output, size_t outputCount) {
  if (decoder->complete) return *inputCount == 0 ? 0 : -1;
  size_t room = outputCount;
  int result = libraries.brotli_run(decoder->other, inputCount, input, &room, &output, NULL);
  if (result == 0) return -1;
  if (result == 1) {
    decoder->complete = 1;
    if (*inputCount > 0) return -1;
  }
  return (int64_t)(outputCount - room);
}

static int64_t run_zstd(
  ccurl_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t *output, size_t outputCount) {
  zstd_input source = {*input, *inputCount, 0};
  zstd_output target = {output, outputCount, 0};
  while (target.position < target.size) {
    size_t consumed = source.position, produced = target.position;
    // At the end of a frame, a call without input would begin the next frame, and the data would no longer count as
    // complete.
    if (decoder->complete && source.position == source.size) break;
    size_t result = libraries.zstd_run(decoder->other, &target, &source);
    if (libraries.zstd_is_error(result)) return -1;
    decoder->complete = result == 0;
    if (consumed == source.position && produced == target.position) break;
  }
  *input += source.position;
  *inputCount -= source.position;
  return (int64_t)target.position;
}

int64_t ccurl_decoder_run(
  ccurl_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t *output, size_t outputCount) {
  switch (decoder->coding) {
    case ccurl_brotli:
      return run_brotli(decoder, input, inputCount, output, outputCount);
    case ccurl_zstd:
      return run_zstd(decoder, input, inputCount, output, outputCount);
    default:
      return run_zlib(decoder, input, inputCount, output, outputCount);
  }
}

int ccurl_decoder_is_complete(const ccurl_decoder *decoder) { return decoder->complete; }
