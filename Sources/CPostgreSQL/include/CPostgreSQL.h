// libpq, loaded when it is first needed. PostgreSQL's client library is not linked: it depends on about ten libraries,
// and loading them takes longer than most work that needs no database.
//
// The declarations are those of libpq-fe.h, whose functions have not changed since PostgreSQL 9. Declared here, they
// need no development package.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;

/// The values of ExecStatusType that a caller distinguishes.
enum {
  CPQ_EMPTY_QUERY = 0,
  CPQ_COMMAND_OK = 1,
  CPQ_TUPLES_OK = 2,
  CPQ_COPY_OUT = 3,
  CPQ_COPY_IN = 4,
};
/// The value of ConnStatusType for an open connection.
enum { CPQ_CONNECTION_OK = 0 };
/// The codes of PQresultErrorField.
enum {
  CPQ_SQLSTATE = 'C',
  CPQ_MESSAGE_PRIMARY = 'M',
  CPQ_MESSAGE_DETAIL = 'D',
  CPQ_MESSAGE_HINT = 'H',
  CPQ_CONTEXT = 'W',
};

/// Loads libpq, unless that is done already; returns 1 on success. Safe from every thread.
int cpq_load(void);
/// The reason why libpq could not be loaded.
const char *cpq_load_failure(void);

// Wrappers of libpq's functions. Call `cpq_load` before.

/// Connects, with messages of the server (notices) discarded. The arrays end with NULL.
PGconn *cpq_connect(const char *const *keywords, const char *const *values);
int cpq_status(const PGconn *connection);
void cpq_finish(PGconn *connection);
const char *cpq_error_message(const PGconn *connection);
int cpq_server_version(const PGconn *connection);
PGresult *cpq_execute(PGconn *connection, const char *sql);
PGresult *cpq_execute_with(PGconn *connection, const char *sql, int count, const char *const *values);
PGresult *cpq_next_result(PGconn *connection);
void cpq_clear(PGresult *result);
int cpq_result_status(const PGresult *result);
const char *cpq_result_message(const PGresult *result);
const char *cpq_result_field(const PGresult *result, int code);
int cpq_rows(const PGresult *result);
int cpq_columns(const PGresult *result);
/// The text of a value; NULL for null.
const char *cpq_value(const PGresult *result, int row, int column);
/// The number of rows that a statement changed, as text.
const char *cpq_changed(PGresult *result);
int cpq_put_copy_data(PGconn *connection, const char *bytes, int count);
int cpq_put_copy_end(PGconn *connection, const char *error);
int cpq_get_copy_data(PGconn *connection, char **bytes);
void cpq_free(void *memory);
PGcancel *cpq_get_cancel(PGconn *connection);
void cpq_free_cancel(PGcancel *cancel);
int cpq_cancel(PGcancel *cancel);

#endif
