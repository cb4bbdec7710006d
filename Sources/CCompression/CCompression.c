#define _GNU_SOURCE
#include "CCompression.h"

#include "CDynamicLibrary.h"

#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

// MARK: - libzstd

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
  void *(*ZSTD_createCCtx)(void);
  size_t (*ZSTD_CCtx_setParameter)(void *, int, int);
  size_t (*ZSTD_compressStream2)(void *, zstd_output *, zstd_input *, int);
  size_t (*ZSTD_freeCCtx)(void *);
  void *(*ZSTD_createDStream)(void);
  size_t (*ZSTD_decompressStream)(void *, zstd_output *, zstd_input *);
  size_t (*ZSTD_freeDStream)(void *);
  unsigned (*ZSTD_isError)(size_t);
  const char *(*ZSTD_getErrorName)(size_t);
} zstd;

// Values of ZSTD_cParameter and ZSTD_EndDirective.
enum { zstd_compression_level = 100, zstd_checksum_flag = 201, zstd_continue = 0, zstd_finish = 2 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char failure[256];

#ifdef __APPLE__
static const char *const names[] = {"libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib"};
#else
static const char *const names[] = {"libzstd.so.1"};
#endif

static void load(void) {
#define FUNCTION(name) {#name, (void **)&zstd.name},
  const dynamic_function functions[] = {
    FUNCTION(ZSTD_createCCtx)
    FUNCTION(ZSTD_CCtx_setParameter)
    FUNCTION(ZSTD_compressStream2)
    FUNCTION(ZSTD_freeCCtx)
    FUNCTION(ZSTD_createDStream)
    FUNCTION(ZSTD_decompressStream)
    FUNCTION(ZSTD_freeDStream)
    FUNCTION(ZSTD_isError)
    FUNCTION(ZSTD_getErrorName)
  };
#undef FUNCTION
  is_loaded = dynamic_library_load(
    names, sizeof names / sizeof *names, functions, sizeof functions / sizeof *functions, failure, sizeof failure);
}

int ccompression_loads_zstd(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *ccompression_zstd_failure(void) { return failure; }

// MARK: - Coders

struct ccompression_coder {
  int format;
  int encodes;
  // Whether a gzip member has ended, so that the next input begins another one.
  int has_ended;
  z_stream zlib;
  gz_header header;
  void *zstd;
  const char *message;
};

static ccompression_coder *create(int format, int encodes) {
  ccompression_coder *coder = calloc(1, sizeof *coder);
  if (!coder) return NULL;
  coder->format = format;
  coder->encodes = encodes;
  return coder;
}

ccompression_coder *ccompression_encoder(int format) {
  if (format == ccompression_zstd && !ccompression_loads_zstd()) return NULL;
  ccompression_coder *coder = create(format, 1);
  if (!coder) return NULL;
  if (format == ccompression_zstd) {
    coder->zstd = zstd.ZSTD_createCCtx();
    if (coder->zstd && !zstd.ZSTD_isError(zstd.ZSTD_CCtx_setParameter(coder->zstd, zstd_compression_level, 3))
        && !zstd.ZSTD_isError(zstd.ZSTD_CCtx_setParameter(coder->zstd, zstd_checksum_flag, 1)))
      return coder;
    if (coder->zstd) zstd.ZSTD_freeCCtx(coder->zstd);
    free(coder);
    return NULL;
  }
  // 15 + 16: the largest window, in gzip's format.
  if (deflateInit2(&coder->zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    free(coder);
    return NULL;
  }
  // Neither time nor name, and an unknown system: equal content is equal bytes everywhere.
  coder->header.os = 255;
  if (deflateSetHeader(&coder->zlib, &coder->header) == Z_OK) return coder;
  ccompression_free(coder);
  return NULL;
}

ccompression_coder *ccompression_decoder(int format) {
  if (format == ccompression_zstd && !ccompression_loads_zstd()) return NULL;
  ccompression_coder *coder = create(format, 0);
  if (!coder) return NULL;
  if (format == ccompression_zstd) {
    coder->zstd = zstd.ZSTD_createDStream();
    if (coder->zstd) return coder;
  } else if (inflateInit2(&coder->zlib, format == ccompression_deflate ? -15 : 15 + 16) == Z_OK) {
    return coder;
  }
  free(coder);
  return NULL;
}

void ccompression_free(ccompression_coder *coder) {
  if (!coder) return;
  if (coder->format == ccompression_zstd) {
    if (coder->encodes) zstd.ZSTD_freeCCtx(coder->zstd);
    else zstd.ZSTD_freeDStream(coder->zstd);
  } else if (coder->encodes) {
    deflateEnd(&coder->zlib);
  } else {
    inflateEnd(&coder->zlib);
  }
  free(coder);
}

static int step_gzip(
  ccompression_coder *coder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count,
  int finishes) {
  z_stream *stream = &coder->zlib;
  if (!coder->encodes && coder->has_ended) {
    inflateReset(stream);
    coder->has_ended = 0;
  }
  const size_t most = 1u << 30;
  size_t given = *input_count < most ? *input_count : most, room = *output_count < most ? *output_count : most;
  stream->next_in = (Bytef *)input;
  stream->avail_in = (uInt)given;
  stream->next_out = output;
  stream->avail_out = (uInt)room;
  int code = coder->encodes
    ? deflate(stream, finishes && given == *input_count ? Z_FINISH : Z_NO_FLUSH)
    : inflate(stream, Z_NO_FLUSH);
  *input_count = given - stream->avail_in;
  *output_count = room - stream->avail_out;
  switch (code) {
    case Z_STREAM_END:
      coder->has_ended = 1;
      return ccompression_end;
    case Z_OK:
    case Z_BUF_ERROR:  // Neither input nor room was left; the next step goes on.
      return ccompression_more;
    default:
      coder->message = stream->msg;
      return ccompression_damaged;
  }
}

static int step_zstd(
  ccompression_coder *coder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count,
  int finishes) {
  zstd_input in = {input, *input_count, 0};
  zstd_output out = {output, *output_count, 0};
  size_t rest = coder->encodes
    ? zstd.ZSTD_compressStream2(coder->zstd, &out, &in, finishes ? zstd_finish : zstd_continue)
    : zstd.ZSTD_decompressStream(coder->zstd, &out, &in);
  *input_count = in.position;
  *output_count = out.position;
  if (zstd.ZSTD_isError(rest)) {
    coder->message = zstd.ZSTD_getErrorName(rest);
    return ccompression_damaged;
  }
  return rest == 0 && (finishes || !coder->encodes) ? ccompression_end : ccompression_more;
}

int ccompression_step(
  ccompression_coder *coder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count,
  int finishes) {
  coder->message = NULL;
  return (coder->format == ccompression_zstd ? step_zstd : step_gzip)(
    coder, input, input_count, output, output_count, finishes);
}

uint32_t ccompression_crc32(uint32_t sum, const uint8_t *bytes, size_t count) {
  const size_t most = 1u << 30;
  while (count > most) {
    sum = (uint32_t)crc32(sum, bytes, (uInt)most);
    bytes += most;
    count -= most;
  }
  return (uint32_t)crc32(sum, bytes, (uInt)count);
}

const char *ccompression_message(const ccompression_coder *coder) { return coder->message; }
