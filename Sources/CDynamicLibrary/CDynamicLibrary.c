#include "CDynamicLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

static int fail(const char *what, char *failure, size_t size) {
  const char *reason = dlerror();
  snprintf(failure, size, "%s", reason ? reason : what);
  return 0;
}

int dynamic_library_load(
  const char *const *names, size_t name_count, const dynamic_function *functions, size_t function_count, char *failure,
  size_t failure_size) {
  void *library = NULL;
  for (size_t i = 0; !library && i < name_count; i++) {
    library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    if (!library) fail(names[i], failure, failure_size);
  }
  if (!library) return 0;
  for (size_t i = 0; i < function_count; i++) {
    *functions[i].address = dlsym(library, functions[i].name);
    if (!*functions[i].address) return fail(functions[i].name, failure, failure_size);
  }
  return 1;
}
