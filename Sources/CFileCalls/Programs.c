#ifndef __APPLE__
#define _GNU_SOURCE
#endif
#include "CFileCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/// Creates a pipe that other programs do not inherit; returns 0 or a negative errno value.
static int make_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno;
#else
  if (pipe(ends) != 0) return -errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

static void close_all(int pipes[3][2]) {
  for (int index = 0; index < 3; index++)
    for (int end = 0; end < 2; end++)
      if (pipes[index][end] >= 0) close(pipes[index][end]);
}

/// Starts the program with the three pipes as its streams; returns its id or a negative errno value.
static int spawn(char *const words[], char *const environment[], int pipes[3][2]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return -error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return -error;
  }
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGTERM);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, pipes[0][0], 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, pipes[1][1], 1);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, pipes[2][1], 2);
  if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
  if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
  if (!error) error = posix_spawnattr_setsigdefault(&attributes, &usual);
  if (!error)
    error = posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t program = 0;
  if (!error) error = posix_spawnp(&program, words[0], &actions, &attributes, words, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error ? -error : program;
}

int reactor_start_program(char *const words[], char *const environment[], int streams[3]) {
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  int result = 0;
  for (int index = 0; index < 3 && result == 0; index++) result = make_pipe(pipes[index]);
  if (result == 0) result = spawn(words, environment, pipes);
  if (result < 0) {
    close_all(pipes);
    return result;
  }
  close(pipes[0][0]);
  close(pipes[1][1]);
  close(pipes[2][1]);
  streams[0] = pipes[0][1];
  streams[1] = pipes[1][0];
  streams[2] = pipes[2][0];
  for (int index = 0; index < 3; index++) fcntl(streams[index], F_SETFL, O_NONBLOCK);
  return result;
}

int reactor_program_has_ended(int program) {
  siginfo_t info;
  info.si_pid = 0;
  return waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == program;
}
