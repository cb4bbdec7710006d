// Linked into every executable that scripts/sanitize builds: tests start the program with an environment of their own.
const char *__asan_default_options(void) { return "detect_leaks=0:abort_on_error=1"; }
