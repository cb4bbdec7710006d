// A push parser for XML, by libexpat, which is loaded when it is first needed.
//
// Few flows read XML, and the functions, declared in CExpat.c, have not changed since version 2.0. So the build needs no
// development package. Documents with a document type declaration are refused, so there are no entities besides the five
// of XML and no references to other files.
#ifndef CEXPAT_H
#define CEXPAT_H

#include <stddef.h>

typedef struct cexpat_parser cexpat_parser;

/// What a parser calls while it reads; texts are in UTF-8.
typedef struct {
  /// The start of an element. `attributes` has names and values in turn, and NULL at its end.
  void (*start)(void *context, const char *name, const char **attributes);
  void (*end)(void *context, const char *name);
  /// A piece of text.
  void (*text)(void *context, const char *text, int count);
  /// A document type declaration.
  void (*doctype)(void *context, const char *name, const char *system, const char *public_id, int has_subset);
} cexpat_events;

/// Whether libexpat could be loaded; loads it with the first call. Any thread may call it.
int cexpat_loads(void);
/// Why libexpat could not be loaded.
const char *cexpat_failure(void);

/// Creates a parser; NULL without memory. One thread at a time may use it.
cexpat_parser *cexpat_create(cexpat_events events, void *context);
void cexpat_free(cexpat_parser *parser);

/// Reads some bytes of the document; returns 0 when they are not XML, or after `cexpat_stop`.
int cexpat_parse(cexpat_parser *parser, const char *bytes, size_t count, int is_final);
/// Ends the parsing; only for use in an event.
void cexpat_stop(cexpat_parser *parser);

/// What is wrong, after a call of `cexpat_parse` that returned 0.
const char *cexpat_message(cexpat_parser *parser);
/// The line of the error, from 1.
unsigned long cexpat_line(cexpat_parser *parser);

#endif
