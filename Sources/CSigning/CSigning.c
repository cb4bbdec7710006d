#define _GNU_SOURCE
#include "CSigning.h"

#include "CDynamicLibrary.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

typedef int (*password_callback)(char *, int, int, void *);

static struct {
  void *(*BIO_new_mem_buf)(const void *, int);
  int (*BIO_free)(void *);
  void *(*PEM_read_bio_PrivateKey)(void *, void **, password_callback, void *);
  void (*EVP_PKEY_free)(void *);
  int (*EVP_PKEY_is_a)(const void *, const char *);
  int (*EVP_PKEY_get_bits)(const void *);
  int (*EVP_PKEY_get_group_name)(const void *, char *, size_t, size_t *);
  void *(*EVP_MD_CTX_new)(void);
  void (*EVP_MD_CTX_free)(void *);
  const void *(*EVP_sha256)(void);
  const void *(*EVP_sha384)(void);
  const void *(*EVP_sha512)(void);
  int (*EVP_DigestSignInit)(void *, void **, const void *, void *, void *);
  int (*EVP_DigestSign)(void *, unsigned char *, size_t *, const unsigned char *, size_t);
  void *(*EVP_CIPHER_CTX_new)(void);
  void (*EVP_CIPHER_CTX_free)(void *);
  const void *(*EVP_aes_256_gcm)(void);
  int (*EVP_CIPHER_CTX_ctrl)(void *, int, int, void *);
  int (*EVP_CipherInit_ex)(void *, const void *, void *, const unsigned char *, const unsigned char *, int);
  int (*EVP_CipherUpdate)(void *, unsigned char *, int *, const unsigned char *, int);
  int (*EVP_CipherFinal_ex)(void *, unsigned char *, int *);
  void (*ERR_clear_error)(void);
} crypto;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char failure[256];

#ifdef __APPLE__
static const char *const names[] = {
  "libcrypto.3.dylib", "/opt/homebrew/lib/libcrypto.3.dylib", "/usr/local/lib/libcrypto.3.dylib"};
#else
static const char *const names[] = {"libcrypto.so.3"};
#endif

static void load(void) {
#define FUNCTION(name) {#name, (void **)&crypto.name},
  const dynamic_function functions[] = {
    FUNCTION(BIO_new_mem_buf)
    FUNCTION(BIO_free)
    FUNCTION(PEM_read_bio_PrivateKey)
    FUNCTION(EVP_PKEY_free)
    FUNCTION(EVP_PKEY_is_a)
    FUNCTION(EVP_PKEY_get_bits)
    FUNCTION(EVP_PKEY_get_group_name)
    FUNCTION(EVP_MD_CTX_new)
    FUNCTION(EVP_MD_CTX_free)
    FUNCTION(EVP_sha256)
    FUNCTION(EVP_sha384)
    FUNCTION(EVP_sha512)
    FUNCTION(EVP_DigestSignInit)
    FUNCTION(EVP_DigestSign)
    FUNCTION(EVP_CIPHER_CTX_new)
    FUNCTION(EVP_CIPHER_CTX_free)
    FUNCTION(EVP_aes_256_gcm)
    FUNCTION(EVP_CIPHER_CTX_ctrl)
    FUNCTION(EVP_CipherInit_ex)
    FUNCTION(EVP_CipherUpdate)
    FUNCTION(EVP_CipherFinal_ex)
    FUNCTION(ERR_clear_error)
  };
#undef FUNCTION
  is_loaded = dynamic_library_load(
    names, sizeof names / sizeof *names, functions, sizeof functions / sizeof *functions, failure, sizeof failure);
}

const char *csigning_failure(void) { return failure; }

// Without this function the library would ask at the terminal.
static int no_password(char *buffer, int size, int is_writing, void *was_asked) {
  (void)buffer, (void)size, (void)is_writing;
  *(int *)was_asked = 1;
  return -1;
}

csigning_key *csigning_key_read(const char *pem, size_t size, int *error) {
  pthread_once(&once, load);
  *error = csigning_no_library;
  if (!is_loaded) return NULL;
  *error = csigning_no_key;
  if (size > INT_MAX) return NULL;
  void *input = crypto.BIO_new_mem_buf(pem, (int)size);
  if (!input) return NULL;
  int was_asked = 0;
  void *key = crypto.PEM_read_bio_PrivateKey(input, NULL, no_password, &was_asked);
  crypto.BIO_free(input);
  crypto.ERR_clear_error();
  if (!key && was_asked) *error = csigning_encrypted;
  return key;
}

void csigning_key_free(csigning_key *key) { crypto.EVP_PKEY_free(key); }

int csigning_key_kind(const csigning_key *key) {
  if (crypto.EVP_PKEY_is_a(key, "RSA")) return csigning_rsa;
  if (!crypto.EVP_PKEY_is_a(key, "EC")) return csigning_other;
  char name[64] = "";
  size_t count = 0;
  crypto.EVP_PKEY_get_group_name(key, name, sizeof name, &count);
  crypto.ERR_clear_error();
  if (!strcmp(name, "prime256v1") || !strcmp(name, "P-256")) return csigning_p256;
  if (!strcmp(name, "secp384r1") || !strcmp(name, "P-384")) return csigning_p384;
  if (!strcmp(name, "secp521r1") || !strcmp(name, "P-521")) return csigning_p521;
  return csigning_other_curve;
}

int csigning_key_bits(const csigning_key *key) { return crypto.EVP_PKEY_get_bits(key); }

int csigning_sign(
  const csigning_key *key, int digest_bits, const uint8_t *message, size_t count, uint8_t *signature, size_t *size) {
  void *context = crypto.EVP_MD_CTX_new();
  if (!context) return 1;
  const void *digest = digest_bits == 512 ? crypto.EVP_sha512()
                       : digest_bits == 384 ? crypto.EVP_sha384()
                                            : crypto.EVP_sha256();
  int is_signed = crypto.EVP_DigestSignInit(context, NULL, digest, NULL, (void *)key) == 1 &&
                  crypto.EVP_DigestSign(context, signature, size, message, count) == 1;
  crypto.EVP_MD_CTX_free(context);
  crypto.ERR_clear_error();
  return is_signed ? 0 : 1;
}

// Of openssl/evp.h, part of the stable interface.
enum { get_tag = 0x10, set_tag = 0x11, tag_size = csigning_tag_size };

// Without an additional text or a text, libcrypto must not be called with NULL: that would have another meaning.
static int update(void *context, uint8_t *output, const uint8_t *input, size_t count) {
  int size = 0;
  return count == 0 || (crypto.EVP_CipherUpdate(context, output, &size, input, (int)count) == 1 && size == (int)count);
}

static int cipher(
  const uint8_t *key, const uint8_t *nonce, const uint8_t *additional, size_t additional_count, const uint8_t *input,
  size_t count, uint8_t *output, uint8_t *tag, int is_sealing) {
  pthread_once(&once, load);
  if (!is_loaded) return csigning_no_library;
  if (count > INT_MAX || additional_count > INT_MAX) return csigning_not_opened;
  void *context = crypto.EVP_CIPHER_CTX_new();
  if (!context) return csigning_not_opened;
  uint8_t end[16];
  int size = 0;
  int is_done =
    crypto.EVP_CipherInit_ex(context, crypto.EVP_aes_256_gcm(), NULL, key, nonce, is_sealing) == 1 &&
    update(context, NULL, additional, additional_count) && update(context, output, input, count) &&
    (is_sealing || crypto.EVP_CIPHER_CTX_ctrl(context, set_tag, tag_size, tag) == 1) &&
    crypto.EVP_CipherFinal_ex(context, end, &size) == 1 &&
    (!is_sealing || crypto.EVP_CIPHER_CTX_ctrl(context, get_tag, tag_size, tag) == 1);
  crypto.EVP_CIPHER_CTX_free(context);
  crypto.ERR_clear_error();
  return is_done ? 0 : csigning_not_opened;
}

int csigning_seal(
  const uint8_t *key, const uint8_t *nonce, const uint8_t *additional, size_t additional_count, const uint8_t *text,
  size_t count, uint8_t *sealed) {
  return cipher(key, nonce, additional, additional_count, text, count, sealed, sealed + count, 1);
}

int csigning_open(
  const uint8_t *key, const uint8_t *nonce, const uint8_t *additional, size_t additional_count, const uint8_t *sealed,
  size_t count, uint8_t *text) {
  uint8_t tag[tag_size];
  memcpy(tag, sealed + count, tag_size);
  int error = cipher(key, nonce, additional, additional_count, sealed, count, text, tag, 0);
  // What was decrypted before the tag was compared must not be used.
  if (error) memset(text, 0, count);
  return error;
}
