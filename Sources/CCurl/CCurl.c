#define _GNU_SOURCE
#include "Library.h"

#include <netinet/in.h>
#include <sys/socket.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_data_function(CURL *easy, CURLoption option, ccurl_data_function function) {
  return curl_easy_setopt(easy, option, function);
}

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) { return curl_easy_getinfo(easy, info, value); }

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, int64_t *value) {
  curl_off_t offset = 0;
  CURLcode code = curl_easy_getinfo(easy, info, &offset);
  *value = offset;
  return code;
}

CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) { return curl_easy_getinfo(easy, info, value); }

CURLMcode ccurl_multi_set_functions(
  CURLM *multi, ccurl_socket_function socketFunction, ccurl_timer_function timerFunction, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socketFunction);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timerFunction);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code;
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLcode ccurl_set_connection_functions(
  CURL *easy, ccurl_opened_function opened, ccurl_closing_function closing, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, opened);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closing);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
  return code;
}

CURLcode ccurl_set_sending_function(CURL *easy, ccurl_sending_function sending, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, sending);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return code;
}

int ccurl_local_port(curl_socket_t socket) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return 0;
}

void ccurl_discard(curl_socket_t socket) {
  char bytes[16384];
  // The shutdown comes first: after it the kernel accepts no more data, so the loop ends.
  shutdown(socket, SHUT_RDWR);
  while (recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
  }
}
