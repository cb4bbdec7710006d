// libcurl's functions, looked up when the library is loaded; only for the C files of this target.
#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include "CCurl.h"

#define CCURL_FUNCTIONS(USE)                                                                                        \
  USE(easy_cleanup)                                                                                                 \
  USE(easy_getinfo)                                                                                                 \
  USE(easy_init)                                                                                                    \
  USE(easy_pause)                                                                                                   \
  USE(easy_perform)                                                                                                 \
  USE(easy_reset)                                                                                                   \
  USE(easy_setopt)                                                                                                  \
  USE(easy_strerror)                                                                                                \
  USE(global_init)                                                                                                  \
  USE(multi_add_handle)                                                                                             \
  USE(multi_cleanup)                                                                                                \
  USE(multi_info_read)                                                                                              \
  USE(multi_init)                                                                                                   \
  USE(multi_remove_handle)                                                                                          \
  USE(multi_setopt)                                                                                                 \
  USE(multi_socket_action)                                                                                          \
  USE(slist_append)                                                                                                 \
  USE(slist_free_all)                                                                                               \
  USE(version)

#define CCURL_MEMBER(name) __typeof__(&curl_##name) name;
/// The pointers to libcurl's functions.
///
/// All pointers are set when `ccurl_load` has returned 1. Do not use them before.
extern struct ccurl_library {
  CCURL_FUNCTIONS(CCURL_MEMBER)
} ccurl_library;
#undef CCURL_MEMBER

// curl.h defines macros with these names that check types.
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt
#define curl_easy_getinfo ccurl_library.easy_getinfo
#define curl_easy_setopt ccurl_library.easy_setopt
#define curl_multi_setopt ccurl_library.multi_setopt

#endif
