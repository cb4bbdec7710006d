// What durability costs by itself: COUNT small results, each written, synced and renamed, a sync of the folder for every
// fourth, eight at once; no network, no mapping. Beside it stands W2 of Benchmarks/peers, which does the same syncs.
//
//   cc -O2 -o /tmp/syncs Benchmarks/syncs.c -lpthread && mkdir /tmp/synced && /tmp/syncs /tmp/synced 2000
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int folder, count, next;
static char bytes[1600];

static void *work(void *unused) {
  (void)unused;
  for (;;) {
    int number = __sync_fetch_and_add(&next, 1);
    if (number >= count) return NULL;
    char temporary[32], name[32];
    snprintf(temporary, sizeof temporary, "t%d", number);
    snprintf(name, sizeof name, "r%d", number);
    int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (file < 0 || write(file, bytes, sizeof bytes) != sizeof bytes || fsync(file) != 0 || close(file) != 0
        || renameat(folder, temporary, folder, name) != 0 || (number % 4 == 0 && fsync(folder) != 0)) {
      perror(name);
      exit(1);
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 3 || (folder = open(argv[1], O_RDONLY)) < 0) return 2;
  count = atoi(argv[2]);
  memset(bytes, 'x', sizeof bytes);
  struct timespec began, ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  pthread_t threads[8];
  for (int at = 0; at < 8; at++) pthread_create(&threads[at], NULL, work, NULL);
  for (int at = 0; at < 8; at++) pthread_join(threads[at], NULL);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  printf("%.3f s\n", (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9);
}
