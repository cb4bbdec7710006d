#pragma once

#include <stddef.h>

// Libraries that are loaded with their first use, so that a program starts without them and runs where they are absent.

// A function of a library, and where its address is written.
typedef struct {
  const char *name;
  void **address;
} dynamic_function;

// Loads the first library of `names` that can be opened, and finds its functions. Returns 0 when there is none, or when
// it lacks a function; `failure` then has the reason. The library stays loaded.
int dynamic_library_load(
  const char *const *names, size_t name_count, const dynamic_function *functions, size_t function_count, char *failure,
  size_t failure_size);
