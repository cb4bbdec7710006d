#define _GNU_SOURCE
#include "CPostgreSQL.h"

#include "CDynamicLibrary.h"

#include <pthread.h>
#include <stddef.h>

typedef void (*notice_processor)(void *, const char *);

static struct {
  PGconn *(*PQconnectdbParams)(const char *const *, const char *const *, int);
  int (*PQstatus)(const PGconn *);
  void (*PQfinish)(PGconn *);
  char *(*PQerrorMessage)(const PGconn *);
  int (*PQserverVersion)(const PGconn *);
  notice_processor (*PQsetNoticeProcessor)(PGconn *, notice_processor, void *);
  PGresult *(*PQexec)(PGconn *, const char *);
  PGresult *(*PQexecParams)(
    PGconn *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int);
  PGresult *(*PQgetResult)(PGconn *);
  void (*PQclear)(PGresult *);
  int (*PQresultStatus)(const PGresult *);
  char *(*PQresultErrorMessage)(const PGresult *);
  char *(*PQresultErrorField)(const PGresult *, int);
  int (*PQntuples)(const PGresult *);
  int (*PQnfields)(const PGresult *);
  char *(*PQgetvalue)(const PGresult *, int, int);
  int (*PQgetisnull)(const PGresult *, int, int);
  char *(*PQcmdTuples)(PGresult *);
  int (*PQputCopyData)(PGconn *, const char *, int);
  int (*PQputCopyEnd)(PGconn *, const char *);
  int (*PQgetCopyData)(PGconn *, char **, int);
  void (*PQfreemem)(void *);
  PGcancel *(*PQgetCancel)(PGconn *);
  void (*PQfreeCancel)(PGcancel *);
  int (*PQcancel)(PGcancel *, char *, int);
} pq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char failure[256];

#ifdef __APPLE__
static const char *const names[] = {"libpq.5.dylib"};
#else
static const char *const names[] = {"libpq.so.5"};
#endif

static void load(void) {
#define FUNCTION(name) {#name, (void **)&pq.name},
  const dynamic_function functions[] = {
    FUNCTION(PQconnectdbParams)
    FUNCTION(PQstatus)
    FUNCTION(PQfinish)
    FUNCTION(PQerrorMessage)
    FUNCTION(PQserverVersion)
    FUNCTION(PQsetNoticeProcessor)
    FUNCTION(PQexec)
    FUNCTION(PQexecParams)
    FUNCTION(PQgetResult)
    FUNCTION(PQclear)
    FUNCTION(PQresultStatus)
    FUNCTION(PQresultErrorMessage)
    FUNCTION(PQresultErrorField)
    FUNCTION(PQntuples)
    FUNCTION(PQnfields)
    FUNCTION(PQgetvalue)
    FUNCTION(PQgetisnull)
    FUNCTION(PQcmdTuples)
    FUNCTION(PQputCopyData)
    FUNCTION(PQputCopyEnd)
    FUNCTION(PQgetCopyData)
    FUNCTION(PQfreemem)
    FUNCTION(PQgetCancel)
    FUNCTION(PQfreeCancel)
    FUNCTION(PQcancel)
  };
#undef FUNCTION
  is_loaded = dynamic_library_load(
    names, sizeof names / sizeof *names, functions, sizeof functions / sizeof *functions, failure, sizeof failure);
}

int cpq_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *cpq_load_failure(void) { return failure; }

static void discard(void *context, const char *message) {
  (void)context;
  (void)message;
}

PGconn *cpq_connect(const char *const *keywords, const char *const *values) {
  PGconn *connection = pq.PQconnectdbParams(keywords, values, 1);
  if (connection) pq.PQsetNoticeProcessor(connection, discard, NULL);
  return connection;
}

int cpq_status(const PGconn *connection) { return pq.PQstatus(connection); }
void cpq_finish(PGconn *connection) { pq.PQfinish(connection); }
const char *cpq_error_message(const PGconn *connection) { return pq.PQerrorMessage(connection); }
int cpq_server_version(const PGconn *connection) { return pq.PQserverVersion(connection); }
PGresult *cpq_execute(PGconn *connection, const char *sql) { return pq.PQexec(connection, sql); }
PGresult *cpq_execute_with(PGconn *connection, const char *sql, int count, const char *const *values) {
  return pq.PQexecParams(connection, sql, count, NULL, values, NULL, NULL, 0);
}
PGresult *cpq_next_result(PGconn *connection) { return pq.PQgetResult(connection); }
void cpq_clear(PGresult *result) { pq.PQclear(result); }
int cpq_result_status(const PGresult *result) { return pq.PQresultStatus(result); }
const char *cpq_result_message(const PGresult *result) { return pq.PQresultErrorMessage(result); }
const char *cpq_result_field(const PGresult *result, int code) { return pq.PQresultErrorField(result, code); }
int cpq_rows(const PGresult *result) { return pq.PQntuples(result); }
int cpq_columns(const PGresult *result) { return pq.PQnfields(result); }
const char *cpq_value(const PGresult *result, int row, int column) {
  return pq.PQgetisnull(result, row, column) ? NULL : pq.PQgetvalue(result, row, column);
}
const char *cpq_changed(PGresult *result) { return pq.PQcmdTuples(result); }
int cpq_put_copy_data(PGconn *connection, const char *bytes, int count) {
  return pq.PQputCopyData(connection, bytes, count);
}
int cpq_put_copy_end(PGconn *connection, const char *error) { return pq.PQputCopyEnd(connection, error); }
int cpq_get_copy_data(PGconn *connection, char **bytes) { return pq.PQgetCopyData(connection, bytes, 0); }
void cpq_free(void *memory) { pq.PQfreemem(memory); }
PGcancel *cpq_get_cancel(PGconn *connection) { return pq.PQgetCancel(connection); }
void cpq_free_cancel(PGcancel *cancel) { pq.PQfreeCancel(cancel); }
int cpq_cancel(PGcancel *cancel) {
  char error[256];
  return pq.PQcancel(cancel, error, sizeof error);
}
