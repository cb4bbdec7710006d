#define _GNU_SOURCE
#include "CCurl.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct ccurl_thread {
  pthread_t thread;
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  ccurl_thread *thread = argument;
  thread->body(thread->context);
  return NULL;
}

ccurl_thread *ccurl_thread_start(void (*body)(void *), void *context) {
  ccurl_thread *thread = malloc(sizeof *thread);
  if (!thread) return NULL;
  thread->body = body;
  thread->context = context;
  sigset_t all, before;
  sigfillset(&all);
  // A crash in this thread must be reported like a crash in any other thread.
  int own[] = {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGABRT, SIGPROF};
  for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&all, own[index]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&thread->thread, NULL, run, thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    free(thread);
    return NULL;
  }
  return thread;
}

void ccurl_thread_join(ccurl_thread *thread) {
  pthread_join(thread->thread, NULL);
  free(thread);
}

int ccurl_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int index = 0; index < 2; index++) {
    fcntl(ends[index], F_SETFL, O_NONBLOCK);
    fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  }
  return 0;
}
