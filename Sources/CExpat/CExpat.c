#define _GNU_SOURCE
#include "CExpat.h"

#include "CDynamicLibrary.h"

#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

// The structure XML_Encoding of expat.h.
typedef struct {
  int map[256];
  void *data;
  int (*convert)(void *data, const char *bytes);
  void (*release)(void *data);
} encoding;

static struct {
  void *(*XML_ParserCreate)(const char *);
  void (*XML_ParserFree)(void *);
  void (*XML_SetUserData)(void *, void *);
  void (*XML_SetElementHandler)(
    void *, void (*)(void *, const char *, const char **), void (*)(void *, const char *));
  void (*XML_SetCharacterDataHandler)(void *, void (*)(void *, const char *, int));
  void (*XML_SetStartDoctypeDeclHandler)(
    void *, void (*)(void *, const char *, const char *, const char *, int));
  void (*XML_SetUnknownEncodingHandler)(void *, int (*)(void *, const char *, encoding *), void *);
  int (*XML_Parse)(void *, const char *, int, int);
  int (*XML_StopParser)(void *, unsigned char);
  int (*XML_GetErrorCode)(void *);
  const char *(*XML_ErrorString)(int);
  unsigned long (*XML_GetCurrentLineNumber)(void *);
} expat;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char failure[256];

#ifdef __APPLE__
static const char *const names[] = {"/usr/lib/libexpat.1.dylib", "libexpat.1.dylib"};
#else
static const char *const names[] = {"libexpat.so.1"};
#endif

static void load(void) {
#define FUNCTION(name) {#name, (void **)&expat.name},
  const dynamic_function functions[] = {
    FUNCTION(XML_ParserCreate)
    FUNCTION(XML_ParserFree)
    FUNCTION(XML_SetUserData)
    FUNCTION(XML_SetElementHandler)
    FUNCTION(XML_SetCharacterDataHandler)
    FUNCTION(XML_SetStartDoctypeDeclHandler)
    FUNCTION(XML_SetUnknownEncodingHandler)
    FUNCTION(XML_Parse)
    FUNCTION(XML_StopParser)
    FUNCTION(XML_GetErrorCode)
    FUNCTION(XML_ErrorString)
    FUNCTION(XML_GetCurrentLineNumber)
  };
#undef FUNCTION
  is_loaded = dynamic_library_load(
    names, sizeof names / sizeof *names, functions, sizeof functions / sizeof *functions, failure, sizeof failure);
}

int cexpat_loads(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *cexpat_failure(void) { return failure; }

struct cexpat_parser {
  void *parser;
};

// The characters 0x80 to 0x9F of windows-1252; -1 for a byte without one.
static const int windows_1252[32] = {
  0x20AC, -1, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, -1, 0x017D, -1,
  -1, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, -1, 0x017E, 0x0178};

static int unknown_encoding(void *data, const char *name, encoding *info) {
  (void)data;
  if (strcasecmp(name, "windows-1252") != 0) return 0;
  for (int i = 0; i < 256; i++) info->map[i] = i >= 0x80 && i < 0xA0 ? windows_1252[i - 0x80] : i;
  info->data = NULL;
  info->convert = NULL;
  info->release = NULL;
  return 1;
}

cexpat_parser *cexpat_create(cexpat_events events, void *context) {
  if (!cexpat_loads()) return NULL;
  cexpat_parser *parser = calloc(1, sizeof *parser);
  if (!parser) return NULL;
  parser->parser = expat.XML_ParserCreate(NULL);
  if (!parser->parser) {
    free(parser);
    return NULL;
  }
  expat.XML_SetUserData(parser->parser, context);
  expat.XML_SetElementHandler(parser->parser, events.start, events.end);
  expat.XML_SetCharacterDataHandler(parser->parser, events.text);
  expat.XML_SetStartDoctypeDeclHandler(parser->parser, events.doctype);
  expat.XML_SetUnknownEncodingHandler(parser->parser, unknown_encoding, NULL);
  return parser;
}

void cexpat_free(cexpat_parser *parser) {
  if (!parser) return;
  expat.XML_ParserFree(parser->parser);
  free(parser);
}

int cexpat_parse(cexpat_parser *parser, const char *bytes, size_t count, int is_final) {
  // XML_Parse takes the length as an int.
  const size_t most = 1u << 30;
  while (count > most) {
    if (!expat.XML_Parse(parser->parser, bytes, (int)most, 0)) return 0;
    bytes += most;
    count -= most;
  }
  return expat.XML_Parse(parser->parser, bytes, (int)count, is_final) == 1;
}

void cexpat_stop(cexpat_parser *parser) { expat.XML_StopParser(parser->parser, 0); }

const char *cexpat_message(cexpat_parser *parser) {
  return expat.XML_ErrorString(expat.XML_GetErrorCode(parser->parser));
}

unsigned long cexpat_line(cexpat_parser *parser) { return expat.XML_GetCurrentLineNumber(parser->parser); }
