// Signatures with private keys and sealed documents, by the libcrypto of OpenSSL 3.
//
// The library is loaded with the first call: few flows sign or seal. Its functions, declared in CSigning.c, belong to the
// stable interface of OpenSSL 3, so no development package is needed.
#ifndef CSIGNING_H
#define CSIGNING_H

#include <stddef.h>
#include <stdint.h>

/// Why a key could not be read.
enum {
  /// The library could not be loaded.
  csigning_no_library = 1,
  /// The text holds no private key in PEM.
  csigning_no_key = 2,
  /// The key is encrypted with a password.
  csigning_encrypted = 3,
};

/// The kind of a private key.
enum {
  csigning_other = 0,
  csigning_rsa = 1,
  csigning_p256 = 2,
  csigning_p384 = 3,
  csigning_other_curve = 4,
  csigning_p521 = 5,
};

typedef struct csigning_key csigning_key;

/// Why the library could not be loaded.
const char *csigning_failure(void);

/// Reads a private key in PEM: PKCS#8, PKCS#1 or SEC 1. NULL with the reason in `error`. It never asks for a password.
csigning_key *csigning_key_read(const char *pem, size_t size, int *error);
void csigning_key_free(csigning_key *key);

int csigning_key_kind(const csigning_key *key);
/// The size of the key in bits.
int csigning_key_bits(const csigning_key *key);

/// Signs a message with SHA-256, SHA-384 or SHA-512 (`digest_bits`): RSA with PKCS#1 v1.5 padding, or ECDSA as DER.
///
/// `size` has the room in `signature`, on return the number of bytes. 0 on success. Any thread may call it.
int csigning_sign(
  const csigning_key *key, int digest_bits, const uint8_t *message, size_t count, uint8_t *signature, size_t *size);

enum {
  /// The bytes that a sealed text has more than the text.
  csigning_tag_size = 16,
  /// The text could not be sealed, or the sealed one is not what was sealed with this key.
  csigning_not_opened = 4,
};

/// Seals a text with AES-256-GCM (NIST SP 800-38D): `sealed` gets `count` bytes and then the tag of 16 bytes.
///
/// The key has 32 bytes. The nonce has 12 and must never be used twice with one key. 0 on success, otherwise
/// `csigning_no_library` or `csigning_not_opened`. Any thread may call it.
int csigning_seal(
  const uint8_t *key, const uint8_t *nonce, const uint8_t *additional, size_t additional_count, const uint8_t *text,
  size_t count, uint8_t *sealed);

/// Opens a sealed text: `count` bytes and then the tag of 16 bytes. `text` gets `count` bytes.
int csigning_open(
  const uint8_t *key, const uint8_t *nonce, const uint8_t *additional, size_t additional_count, const uint8_t *sealed,
  size_t count, uint8_t *text);

#endif
