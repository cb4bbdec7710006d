#define _GNU_SOURCE
#include "Library.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
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
  // Amazon's metadata service also has an address outside the link-local range: fd00:ec2::254.
  static const uint8_t metadata[16] = {0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54};
  if (bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80) return 1;
  if (memcmp(bytes, metadata, 16) == 0) return 1;
  // A 6to4 address contains an IPv4 address in its prefix.
  if (bytes[0] == 0x20 && bytes[1] == 0x02) return is_link_local_v4(bytes + 2);
  if (memcmp(bytes, mapped, 12) == 0 || memcmp(bytes, compatible, 12) == 0 || memcmp(bytes, nat64, 12) == 0)
    return is_link_local_v4(bytes + 12);
  return 0;
}

static int is_link_local(const uint8_t *bytes, size_t count) {
  return count == 4 ? is_link_local_v4(bytes) : is_link_local_v6(bytes);
}

/// Returns the IPv4 address that is mapped into an IPv6 address; other addresses stay unchanged.
static const uint8_t *without_mapping(const uint8_t *bytes, size_t *count) {
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (*count != 16 || memcmp(bytes, mapped, 12) != 0) return bytes;
  *count = 4;
  return bytes + 12;
}

int ccurl_make_range(ccurl_range *range, const uint8_t *bytes, size_t count, int bits) {
  if ((count != 4 && count != 16) || bits < 0 || (size_t)bits > count * 8) return 0;
  size_t all = count;
  if (bits >= 96) bytes = without_mapping(bytes, &count);
  if (count < all) bits -= 96;
  memset(range, 0, sizeof *range);
  memcpy(range->bytes, bytes, count);
  range->count = (uint8_t)count;
  range->bits = (uint8_t)bits;
  range->isLinkLocal = (uint8_t)is_link_local(bytes, count);
  return 1;
}

static int holds(const ccurl_range *range, const uint8_t *bytes, size_t count) {
  if (range->count != count) return 0;
  size_t whole = range->bits / 8;
  int rest = range->bits % 8;
  if (memcmp(range->bytes, bytes, whole) != 0) return 0;
  return rest == 0 || ((range->bytes[whole] ^ bytes[whole]) >> (8 - rest)) == 0;
}

static int check(ccurl_guard *guard, const uint8_t *bytes, size_t count) {
  int refusal = ccurl_permitted;
  const uint8_t *all = bytes;
  size_t allCount = count;
  bytes = without_mapping(bytes, &count);
  int isLinkLocal = is_link_local(bytes, count);
  if (isLinkLocal || guard->needsRange) {
    refusal = isLinkLocal ? ccurl_link_local : ccurl_not_listed;
    for (size_t index = 0; index < guard->rangeCount; index++) {
      const ccurl_range *range = &guard->ranges[index];
      if (holds(range, bytes, count) && (!isLinkLocal || range->isLinkLocal)) refusal = ccurl_permitted;
    }
  }
  if (refusal != ccurl_permitted) {
    guard->refused = refusal;
    inet_ntop(allCount == 4 ? AF_INET : AF_INET6, all, guard->refusedAddress, sizeof guard->refusedAddress);
  }
  return refusal;
}

int ccurl_check_address(ccurl_guard *guard, const char *address) {
  uint8_t bytes[16];
  // The address of a reused connection may contain an interface name after "%".
  char plain[INET6_ADDRSTRLEN];
  size_t length = strcspn(address, "%");
  if (length < sizeof plain) {
    memcpy(plain, address, length);
    plain[length] = 0;
    if (inet_pton(AF_INET, plain, bytes) == 1) return check(guard, bytes, 4);
    if (inet_pton(AF_INET6, plain, bytes) == 1) return check(guard, bytes, 16);
  }
  if (!guard->needsRange) return ccurl_permitted;
  guard->refused = ccurl_not_listed;
  guard->refusedAddress[0] = 0;
  return ccurl_not_listed;
}

static curl_socket_t open_guarded(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  ccurl_guard *guard = context;
  (void)purpose;
  int refusal = guard->needsRange ? ccurl_not_listed : ccurl_permitted;
  if (address->family == AF_INET)
    refusal = check(guard, (const uint8_t *)&((struct sockaddr_in *)&address->addr)->sin_addr, 4);
  else if (address->family == AF_INET6)
    refusal = check(guard, (const uint8_t *)&((struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
  if (refusal != ccurl_permitted) {
    guard->refused = refusal;
    return CURL_SOCKET_BAD;
  }
  int opened = socket(address->family, address->socktype, address->protocol);
  // Programs that another part of this process starts must not inherit the socket.
  if (opened >= 0) fcntl(opened, F_SETFD, FD_CLOEXEC);
  else guard->failure = errno;
  return opened;
}

CURLcode ccurl_set_guard(CURL *easy, ccurl_guard *guard) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_guarded);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, guard);
  return code;
}

// libssl is already loaded because libcurl uses it. Its functions are looked up, so the build needs no headers of
// libssl, and a libcurl with another TLS library works too.
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
