#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct ccurl_library ccurl_library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char failure[256];

static void fail(const char *what) {
  const char *reason = dlerror();
  snprintf(failure, sizeof failure, "%s: %s", what, reason ? reason : "not found");
}

#ifdef __APPLE__
static const char name[] = "libcurl.4.dylib";
#else
static const char name[] = "libcurl.so.4";
#endif

static void load(void) {
  // RTLD_GLOBAL makes the libraries that libcurl uses (libssl) available for lookups.
  void *library = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
  if (!library) {
    fail(name);
    return;
  }
#define CCURL_LOOK_UP(function)                                                                                     \
  *(void **)&ccurl_library.function = dlsym(library, "curl_" #function);                                            \
  if (!ccurl_library.function) {                                                                                    \
    fail("curl_" #function);                                                                                        \
    return;                                                                                                         \
  }
  CCURL_FUNCTIONS(CCURL_LOOK_UP)
#undef CCURL_LOOK_UP
  is_loaded = ccurl_library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!is_loaded) snprintf(failure, sizeof failure, "%s: cannot be set up", name);
}

int ccurl_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *ccurl_load_failure(void) { return failure; }

// Functions that create an object load the library first. All other functions take an object that one of these
// functions has created, so the library is loaded already.

CURL *ccurl_easy_init(void) { return ccurl_load() ? ccurl_library.easy_init() : NULL; }
void ccurl_easy_cleanup(CURL *easy) { ccurl_library.easy_cleanup(easy); }
void ccurl_easy_reset(CURL *easy) { ccurl_library.easy_reset(easy); }
CURLcode ccurl_easy_pause(CURL *easy, int bits) { return ccurl_library.easy_pause(easy, bits); }
const char *ccurl_easy_strerror(CURLcode code) {
  return ccurl_load() ? ccurl_library.easy_strerror(code) : ccurl_load_failure();
}

CURLM *ccurl_multi_init(void) { return ccurl_load() ? ccurl_library.multi_init() : NULL; }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return ccurl_library.multi_cleanup(multi); }
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return ccurl_library.multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) { return ccurl_library.multi_remove_handle(multi, easy); }
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *left) { return ccurl_library.multi_info_read(multi, left); }
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int bits, int *running) {
  return ccurl_library.multi_socket_action(multi, socket, bits, running);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return ccurl_load() ? ccurl_library.slist_append(list, text) : NULL;
}
void ccurl_slist_free_all(struct curl_slist *list) {
  if (list) ccurl_library.slist_free_all(list);
}

const char *ccurl_version(void) { return ccurl_load() ? ccurl_library.version() : NULL; }
