/* A server for Benchmarks/pages and Benchmarks/shared: GET /items?page=N[&of=P][&delay_us=D][&few=1] gives page N of P
   (1,000) pages of 100 records, or of 10 with few, the next page in a Link header and P in the body. A thread per
   connection, so that a page that takes D microseconds holds up nobody else. Prints `listening on PORT`.
   usage: page-server */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PAGES = 1000, RECORDS = 100, FEW = 10, LARGEST = 40000 };
static char *bodies[PAGES + 1];
static int lengths[PAGES + 1], few_lengths[PAGES + 1];
static int port;

static void make_bodies(void) {
  for (int page = 1; page <= PAGES; page++) {
    char *body = malloc(LARGEST);
    int length = sprintf(body, "\"data\":[");
    for (int i = 0; i < RECORDS; i++) {
      if (i == FEW) few_lengths[page] = length;
      int number = (page - 1) * RECORDS + i;
      length += sprintf(
          body + length,
          "%s{\"id\":%d,\"sku\":\"SKU-%04d\",\"amount\":\"%d.%02d\",\"ratio\":%.3f,\"paid\":%s,"
          "\"at\":\"2024-05-%02dT12:00:00Z\",\"address\":{\"city\":\"K\xc3\xb6ln\",\"zip\":\"%d\"},\"tags\":[\"a\",\"b\"],"
          "\"note\":\"two\\nlines\"}",
          i ? "," : "", number, number % 1000, number % 10000, number % 100, number % 97 / 8.0,
          number % 3 ? "true" : "false", number % 28 + 1, number % 90000 + 10000);
    }
    length += sprintf(body + length, "]}");
    bodies[page] = body;
    lengths[page] = length;
  }
}

static int send_all(int client, const char *bytes, int count, int flags) {
  while (count > 0) {
    ssize_t sent = send(client, bytes, count, flags | MSG_NOSIGNAL);
    if (sent <= 0) return 0;
    bytes += sent;
    count -= sent;
  }
  return 1;
}

static void *serve(void *argument) {
  int client = (int)(long)argument, on = 1, filled = 0;
  char request[8192], head[512];
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  for (;;) {
    char *end;
    request[filled] = 0;
    while (!(end = strstr(request, "\r\n\r\n"))) {
      ssize_t got = filled < (int)sizeof request - 1 ? recv(client, request + filled, sizeof request - 1 - filled, 0) : 0;
      if (got <= 0) goto done;
      filled += got;
      request[filled] = 0;
    }
    *end = 0;
    const char *page_text = strstr(request, "page="), *delay_text = strstr(request, "delay_us=");
    int page = page_text ? atoi(page_text + 5) : 1;
    const char *of_text = strstr(request, "of=");
    int pages = of_text ? atoi(of_text + 3) : PAGES;
    int delay = delay_text ? atoi(delay_text + 9) : 0;
    if (page < 1 || page > pages || pages > PAGES) goto done;
    if (delay > 0) usleep(delay);
    const char *rest = strstr(request, "few=1") ? "]}" : "";
    int body_length = *rest ? few_lengths[page] : lengths[page];
    char start[32];
    int start_length = sprintf(start, "{\"pages\":%d,", pages);
    int length = sprintf(
        head, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
        start_length + body_length + (int)strlen(rest));
    if (page < pages)
      length += sprintf(
          head + length, "Link: <http://127.0.0.1:%d/items?page=%d>; rel=\"next\"\r\n", port, page + 1);
    length += sprintf(head + length, "\r\n%s", start);
    if (!send_all(client, head, length, MSG_MORE) || !send_all(client, bodies[page], body_length, *rest ? MSG_MORE : 0) ||
        !send_all(client, rest, (int)strlen(rest), 0))
      break;
    int used = (int)(end + 4 - request);
    memmove(request, request + used, filled - used);
    filled -= used;
  }
done:
  close(client);
  return NULL;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  make_bodies();
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024) ||
      getsockname(listener, (struct sockaddr *)&address, &size)) {
    perror("page-server");
    return 1;
  }
  port = ntohs(address.sin_port);
  printf("listening on %d\n", port);
  fflush(stdout);
  for (;;) {
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    pthread_t thread;
    if (client < 0) continue;
    if (pthread_create(&thread, NULL, serve, (void *)(long)client)) close(client);
    else pthread_detach(thread);
  }
}
