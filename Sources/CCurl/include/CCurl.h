// libcurl, loaded when it is first needed, with typed forms of its variadic functions, plus the few C-only pieces beside it: the guard on
// addresses, the driving thread, and the decoders of content codings.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// MARK: - The library

/// Loads libcurl unless it is loaded, and sets it up; 1 on success. Safe from every thread.
///
/// It is not linked: with the thirty libraries that it stands on it takes longer to start than most of what is done
/// without a network.
int ccurl_load(void);
/// Why it could not be loaded.
const char *ccurl_load_failure(void);

// libcurl's functions of these names. Those that begin something give NULL when the library cannot be loaded.
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
/// `value` may be NULL, which unsets; libcurl copies the text.
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);

typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);
/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
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
/// Reports the opening and closing of connections. `closing` must close the socket; all outlive the easy handle.
CURLcode ccurl_set_connection_functions(
  CURL *easy, ccurl_opened_function opened, ccurl_closing_function closing, void *context);
/// Reports the sending of each request, which the function may refuse.
CURLcode ccurl_set_sending_function(CURL *easy, ccurl_sending_function sending, void *context);
/// The port of our end; 0 when the socket has none.
int ccurl_local_port(curl_socket_t socket);
/// Ends both directions of a socket and throws away what waits in it.
void ccurl_discard(curl_socket_t socket);

// MARK: - Guards

/// Addresses that begin with the same bits. IPv4 addresses inside of IPv6 ones (::ffff:0:0/96) count as IPv4.
typedef struct {
  uint8_t bytes[16];
  /// 4 or 16.
  uint8_t count;
  uint8_t bits;
  /// 1 when it begins among link-local addresses, which no wider range includes.
  uint8_t isLinkLocal;
} ccurl_range;

/// Returns 1, or 0 when `count` is neither 4 nor 16 or the bits are more than there are.
int ccurl_make_range(ccurl_range *range, const uint8_t *bytes, size_t count, int bits);

/// Why an address was refused.
enum { ccurl_permitted = 0, ccurl_link_local = 1, ccurl_not_listed = 2 };

/// What a connection may be opened to; one per easy handle, read and written only on the driving thread.
typedef struct {
  const ccurl_range *ranges;
  size_t rangeCount;
  /// 1 when the host is not listed by name, so that its address must be in one of the ranges.
  int needsRange;
  /// Set to the reason when an address was refused.
  int refused;
  /// The system's reason when no socket could be made, else 0; libcurl does not keep it.
  int failure;
  /// The address refused, in its usual notation.
  char refusedAddress[64];
  /// Set to 1 when the TLS stream watched was closed properly.
  int sawTLSEnd;
} ccurl_guard;

/// Checks every new socket against the guard after name resolution, whatever spelling led to the address.
CURLcode ccurl_set_guard(CURL *easy, ccurl_guard *guard);

/// Why the guard refuses a numeric address (IPv4 or IPv6, without brackets), or `ccurl_permitted`. What is not a numeric
/// address is permitted unless it needs a range. Notes the refusal in the guard.
int ccurl_check_address(ccurl_guard *guard, const char *address);

/// To be called during a response over TLS that only the end of its connection ends: sets the guard's `sawTLSEnd` when
/// the stream is closed properly (close_notify). libcurl itself takes a cut stream for a closed one.
/// Does nothing where libcurl stands on another library than OpenSSL.
void ccurl_watch_tls_end(CURL *easy, ccurl_guard *guard);

// MARK: - Thread

typedef struct ccurl_thread ccurl_thread;
/// Starts a thread with all signals blocked but those of a crash (a broken pipe inside TLS must not end the process); NULL on failure.
ccurl_thread *ccurl_thread_start(void (*body)(void *), void *context);
/// Waits for its end and frees it.
void ccurl_thread_join(ccurl_thread *thread);
/// A pipe whose both ends do not block; returns 0 on success.
int ccurl_pipe(int ends[2]);

// MARK: - Content codings

enum { ccurl_gzip = 1, ccurl_deflate = 2, ccurl_brotli = 3, ccurl_zstd = 4 };

typedef struct ccurl_decoder ccurl_decoder;
/// Whether the coding can be decoded on this machine.
int ccurl_decoder_is_available(int coding);
/// NULL when the coding is not available or memory is short.
ccurl_decoder *ccurl_decoder_create(int coding);
void ccurl_decoder_destroy(ccurl_decoder *decoder);
/// Decodes from `*input` (advanced, `*inputCount` lowered) into `output`; returns the number of bytes written, or -1
/// when the data is corrupt or goes on after its end. A return of `outputCount` means that more may be waiting.
int64_t ccurl_decoder_run(
  ccurl_decoder *decoder, const uint8_t **input, size_t *inputCount, uint8_t *output, size_t outputCount);
/// Whether the data so far ends where the coding says it ends, its checksum verified where it has one.
int ccurl_decoder_is_complete(const ccurl_decoder *decoder);

#endif
