// libcurl with typed variants of its variadic functions; the library is loaded when it is first needed.
//
// The file also declares the parts that must be written in C: the guard on addresses, the driving thread, and the
// decoders of content codings.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// MARK: - The library

/// Loads libcurl and sets it up, unless that is done already; returns 1 on success. Safe from every thread.
///
/// libcurl is not linked. It depends on about thirty libraries, and loading them takes longer than most work that needs
/// no network.
int ccurl_load(void);
/// The reason why libcurl could not be loaded.
const char *ccurl_load_failure(void);

// Wrappers of libcurl's functions with the same names.
//
// Functions that create an object return NULL when the library cannot be loaded.
CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
void ccurl_easy_reset(CURL *easy);
CURLcode ccurl_easy_pause(CURL *easy, int bits);
const char *ccurl_easy_strerror(CURLcode code);
CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *left);
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int bits, int *running);
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);
const char *ccurl_version(void);

// MARK: - Typed options

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, int64_t value);
/// Sets a text option. NULL as `value` unsets the option. libcurl copies the text.
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);

typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);
/// Sets the callback of CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
CURLcode ccurl_set_data_function(CURL *easy, CURLoption option, ccurl_data_function function);

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, int64_t *value);
CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value);

typedef int (*ccurl_socket_function)(CURL *easy, curl_socket_t socket, int what, void *context, void *socketContext);
typedef int (*ccurl_timer_function)(CURLM *multi, long milliseconds, void *context);
CURLMcode ccurl_multi_set_functions(
  CURLM *multi, ccurl_socket_function socketFunction, ccurl_timer_function timerFunction, void *context);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

typedef int (*ccurl_opened_function)(void *context, curl_socket_t socket, curlsocktype purpose);
typedef int (*ccurl_closing_function)(void *context, curl_socket_t socket);
typedef int (*ccurl_sending_function)(
  void *context, char *remoteAddress, char *localAddress, int remotePort, int localPort);
/// Sets the callbacks for the opening and the closing of connections.
///
/// `closing` must close the socket. The callbacks and `context` must outlive the easy handle.
CURLcode ccurl_set_connection_functions(
  CURL *easy, ccurl_opened_function opened, ccurl_closing_function closing, void *context);
/// Sets the callback that is called before each request is sent; the callback may refuse the request.
CURLcode ccurl_set_sending_function(CURL *easy, ccurl_sending_function sending, void *context);
/// Returns the local port of a socket; 0 when it has none.
int ccurl_local_port(curl_socket_t socket);
/// Shuts down both directions of a socket and discards the received data.
void ccurl_discard(curl_socket_t socket);

// MARK: - Guards

/// A range of addresses that begin with the same bits.
///
/// IPv4 addresses mapped into IPv6 (::ffff:0:0/96) count as IPv4 addresses.
typedef struct {
  uint8_t bytes[16];
  /// The number of bytes: 4 (IPv4) or 16 (IPv6).
  uint8_t count;
  uint8_t bits;
  /// 1 when the first address of the range is link-local. Only such ranges include link-local addresses.
  uint8_t isLinkLocal;
} ccurl_range;

/// Fills in a range; returns 1 on success.
///
/// Returns 0 when `count` is neither 4 nor 16, or when `bits` is larger than the number of bits in the address.
int ccurl_make_range(ccurl_range *range, const uint8_t *bytes, size_t count, int bits);

/// The reason why an address was refused.
enum { ccurl_permitted = 0, ccurl_link_local = 1, ccurl_not_listed = 2 };

/// The addresses to which a connection may be opened.
///
/// Each easy handle has one guard. Only the driving thread reads and writes it.
typedef struct {
  const ccurl_range *ranges;
  size_t rangeCount;
  /// 1 when the host is not listed by name, so its address must be in one of the ranges.
  int needsRange;
  /// The reason, set when an address was refused.
  int refused;
  /// The errno value when no socket could be created, else 0. libcurl does not store this value.
  int failure;
  /// The refused address, in its usual notation.
  char refusedAddress[64];
  /// Set to 1 when the watched TLS stream was closed properly.
  int sawTLSEnd;
} ccurl_guard;

/// Makes libcurl check the address of every new socket with the guard.
///
/// The check happens after name resolution, so the notation of the host in the URL does not matter.
CURLcode ccurl_set_guard(CURL *easy, ccurl_guard *guard);

/// Checks a numeric address (IPv4 or IPv6, without brackets) against the guard.
///
/// Returns the reason for the refusal, or `ccurl_permitted`. A text that is not a numeric address is permitted unless
/// the guard needs a range. The guard records the refusal.
int ccurl_check_address(ccurl_guard *guard, const char *address);

/// Watches the TLS stream of a response and sets the guard's `sawTLSEnd` when the stream is closed properly
/// (close_notify).
///
/// Call it during a response over TLS without a declared length, which ends with its connection. libcurl itself does
/// not distinguish a cut stream from a closed one. The function does nothing when libcurl uses a TLS library other than
/// OpenSSL.
void ccurl_watch_tls_end(CURL *easy, ccurl_guard *guard);

// MARK: - Thread

typedef struct ccurl_thread ccurl_thread;
/// Starts a thread; returns NULL on failure.
///
/// All signals are blocked in the thread except those of a crash. A broken pipe inside TLS must not end the process.
ccurl_thread *ccurl_thread_start(void (*body)(void *), void *context);
/// Waits for the thread's end and frees its memory.
void ccurl_thread_join(ccurl_thread *thread);
/// Creates a pipe whose two ends do not block; returns 0 on success.
int ccurl_pipe(int ends[2]);

// MARK: - Mail

/// A mail and how it is sent. All pointers must be valid during the call.
typedef struct {
  /// `smtp://HOST:PORT` or `smtps://HOST:PORT`.
  const char *url;
  /// The account at the server; NULL without one.
  const char *user;
  const char *password;
  /// The path of a PEM file of certificate authorities; NULL for the system's.
  const char *authorities;
  /// Plain addresses.
  const char *from;
  const char *const *recipients;
  size_t recipientCount;
  /// The mail with its header; lines end with CR LF.
  const char *text;
  size_t count;
  /// 1 when nothing is sent over a connection that is not encrypted; else it is encrypted if the server offers it.
  int mustEncrypt;
  /// The maximum time for all of it.
  long milliseconds;
} ccurl_mail;

/// Sends a mail, and blocks until the server has accepted it; returns 1 on success.
///
/// On failure `failure` contains the reason, cut to `size` bytes, and `reply` the last code of the server; 0 without one.
/// The certificate of the server is checked.
int ccurl_send_mail(const ccurl_mail *mail, char *failure, size_t size, long *reply);

// MARK: - Content codings

enum { ccurl_gzip = 1, ccurl_deflate = 2, ccurl_brotli = 3, ccurl_zstd = 4 };

typedef struct ccurl_decoder ccurl_decoder;
/// Whether this machine can decode the coding.
int ccurl_decoder_is_available(int coding);
/// Creates a decoder; returns NULL when the coding is not available or memory is short.
ccurl_decoder *ccurl_decoder_create(int coding);
void ccurl_decoder_destroy(ccurl_decoder *decoder);
/// Decodes bytes from `*input` into `output`; returns the number of bytes written.
///
/// Advances `*input` and lowers `*inputCount`. Returns -1 when the data is corrupt or continues after its end. If the
/// function returns `outputCount`, more output may be waiting.
int64_t ccurl_decoder_run(
  ccurl_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t *output, size_t outputCount);
/// Whether the data so far ends where the coding requires. A checksum, if the coding has one, is verified.
int ccurl_decoder_is_complete(const ccurl_decoder *decoder);

#endif
