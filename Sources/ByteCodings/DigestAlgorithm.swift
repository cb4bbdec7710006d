/// A digest of messages in memory, and its keyed form HMAC (RFC 2104).
package enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  case md5, sha1, sha256, sha384, sha512

  /// The digest's name in texts.
  package var title: String {
    switch self {
    case .md5: "MD5"
    case .sha1: "SHA-1"
    case .sha256: "SHA-256"
    case .sha384: "SHA-384"
    case .sha512: "SHA-512"
    }
  }

  /// The number of bytes of a digest.
  package var length: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The number of bytes that the digest processes at a time.
  private var blockSize: Int {
    switch self {
    case .md5, .sha1, .sha256: 64
    case .sha384, .sha512: 128
    }
  }

  /// Returns the digest of a message.
  package func digest(of message: [UInt8]) -> [UInt8] {
    switch self {
    case .md5: MD5Digest(of: message).bytes
    case .sha1: SHA1Digest(of: message).bytes
    case .sha256: SHA256Digest(of: message).bytes
    case .sha384: SHA512Digest(of: message, isSHA384: true).bytes
    case .sha512: SHA512Digest(of: message).bytes
    }
  }

  /// Returns the message authentication code (HMAC) of a message with a key of any length.
  package func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > blockSize ? digest(of: key) : key
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    return digest(of: block.map { $0 ^ 0x5C } + digest(of: block.map { $0 ^ 0x36 } + message))
  }
}
