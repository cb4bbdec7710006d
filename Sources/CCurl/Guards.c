#define _GNU_SOURCE
#include "Library.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int is_link_local_v4(const uint8_t *bytes) { return bytes[0] == 169 && bytes[1] == 254; }

static int is_link_local_v6(const uint8_t *bytes) {
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  static const uint8_t compatible[12] = {0};
  static const uint8_t nat64[12] = {0x00, 0x64, 0xff, 0x9b};
  // Amazon's metadata service has an address of its own outside the link-local range: fd00:ec2::254.
  static const uint8_t metadata[16] = {0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54};
  if (bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80) return 1;
  if (memcmp(bytes, metadata, 16) == 0) return 1;
  // 6to4 carries an IPv4 address in its prefix.
  if (bytes[0] == 0x20 && bytes[1] == 0x02) return is_link_local_v4(bytes + 2);
  if (memcmp(bytes, mapped, 12) == 0 || memcmp(bytes, compatible, 12) == 0 || memcmp(bytes, nat64, 12) == 0)
    return is_link_local_v4(bytes + 12);
  return 0;
}

int ccurl_is_link_local(const char *address) {
  uint8_t bytes[16];
  if (inet_pton(AF_INET, address, bytes) == 1) return is_link_local_v4(bytes);
  if (inet_pton(AF_INET6, address, bytes) == 1) return is_link_local_v6(bytes);
  return 0;
}

static curl_socket_t open_guarded(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  ccurl_guard *guard = context;
  (void)purpose;
  if (!guard->allowsLinkLocal) {
    int refused = 0;
    if (address->family == AF_INET)
      refused = is_link_local_v4((const uint8_t *)&((struct sockaddr_in *)&address->addr)->sin_addr);
    else if (address->family == AF_INET6)
      refused = is_link_local_v6((const uint8_t *)&((struct sockaddr_in6 *)&address->addr)->sin6_addr);
    if (refused) {
      guard->refused = 1;
      return CURL_SOCKET_BAD;
    }
  }
  int opened = socket(address->family, address->socktype, address->protocol);
  // Not left open in programs that another part of this process may start.
  if (opened >= 0) fcntl(opened, F_SETFD, FD_CLOEXEC);
  return opened;
}

CURLcode ccurl_set_guard(CURL *easy, ccurl_guard *guard) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_guarded);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, guard);
  return code;
}

// libssl is there because libcurl stands on it; looking its functions up keeps its headers out of the build, and a
// libcurl on another TLS library working.
typedef void (*message_function)(
  int isWrite, int version, int contentType, const void *bytes, size_t count, void *ssl, void *context);

static void note_message(
  int isWrite, int version, int contentType, const void *bytes, size_t count, void *ssl, void *context) {
  const int alert = 21;
  const uint8_t close_notify = 0;
  (void)version;
  (void)ssl;
  if (!isWrite && contentType == alert && count == 2 && ((const uint8_t *)bytes)[1] == close_notify)
    ((ccurl_guard *)context)->sawTLSEnd = 1;
}

void ccurl_watch_tls_end(CURL *easy, ccurl_guard *guard) {
  const int set_message_context = 16;  // SSL_CTRL_SET_MSG_CALLBACK_ARG
  struct curl_tlssessioninfo *session = NULL;
  guard->sawTLSEnd = 0;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return;
  if (session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return;
  void (*set_function)(void *, message_function);
  long (*control)(void *, int, long, void *);
  *(void **)&set_function = dlsym(RTLD_DEFAULT, "SSL_set_msg_callback");
  *(void **)&control = dlsym(RTLD_DEFAULT, "SSL_ctrl");
  if (!set_function || !control) return;
  control(session->internals, set_message_context, 0, guard);
  set_function(session->internals, note_message);
}
