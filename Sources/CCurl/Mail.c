#include "Library.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *bytes;
  size_t count;
} remaining_mail;

static size_t give(char *buffer, size_t size, size_t count, void *context) {
  remaining_mail *mail = context;
  size_t given = size * count < mail->count ? size * count : mail->count;
  memcpy(buffer, mail->bytes, given);
  mail->bytes += given;
  mail->count -= given;
  return given;
}

static int use(CURL *easy, const ccurl_mail *mail, struct curl_slist *recipients, remaining_mail *text) {
  int isSet = curl_easy_setopt(easy, CURLOPT_URL, mail->url) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, mail->from) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, recipients) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, give) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_READDATA, text) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, mail->milliseconds) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, mail->milliseconds) == CURLE_OK &&
    // Proxies of the environment are for web servers.
    curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
    // Signals belong to the program; name resolution then has its time limit in another way.
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_USE_SSL, (long)(mail->mustEncrypt ? CURLUSESSL_ALL : CURLUSESSL_TRY)) == CURLE_OK;
  if (isSet && mail->authorities) isSet = curl_easy_setopt(easy, CURLOPT_CAINFO, mail->authorities) == CURLE_OK;
  if (!isSet || !mail->user) return isSet;
  return curl_easy_setopt(easy, CURLOPT_USERNAME, mail->user) == CURLE_OK &&
    curl_easy_setopt(easy, CURLOPT_PASSWORD, mail->password) == CURLE_OK;
}

int ccurl_send_mail(const ccurl_mail *mail, char *failure, size_t size, long *reply) {
  *reply = 0;
  failure[0] = 0;
  CURL *easy = ccurl_easy_init();
  if (!easy) {
    snprintf(failure, size, "%s", ccurl_load_failure());
    return 0;
  }
  struct curl_slist *recipients = NULL;
  int isSent = 0;
  for (size_t index = 0; index < mail->recipientCount; index++) {
    struct curl_slist *longer = ccurl_slist_append(recipients, mail->recipients[index]);
    if (!longer) goto end;
    recipients = longer;
  }
  remaining_mail text = {mail->text, mail->count};
  char reason[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, reason);
  if (!use(easy, mail, recipients, &text)) goto end;
  CURLcode code = ccurl_library.easy_perform(easy);
  isSent = code == CURLE_OK;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, reply);
  if (!isSent) snprintf(failure, size, "%s", reason[0] ? reason : ccurl_easy_strerror(code));
end:
  if (!isSent && !failure[0]) snprintf(failure, size, "memory is short");
  ccurl_slist_free_all(recipients);
  ccurl_easy_cleanup(easy);
  return isSent;
}
