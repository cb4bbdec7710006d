internal import CSigning

/// A private key in the memory of libcrypto.
///
/// `@unchecked Sendable`: the pointer is set in `init` and freed with the last reference. Between them the key is only
/// read: each signature has a context of its own, and libcrypto allows any number of threads to use one key in this
/// way.
final class PrivateKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// Reads a private key in PEM.
  init(pem: String) throws(SigningKey.KeyError) {
    var error: Int32 = 0
    var text = pem
    let key = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { csigning_key_read($0.baseAddress, $0.count, &error) }
    }
    guard let key else {
      switch Int(error) {
      case csigning_no_library:
        throw SigningKey.KeyError(
          message: "libcrypto cannot be loaded: \(String(cString: csigning_failure()))",
          help: "install OpenSSL 3 (libssl3 on Debian and Ubuntu)")
      case csigning_encrypted:
        throw SigningKey.KeyError(
          message: "the key is encrypted with a password",
          help: "decrypt it with 'openssl pkcs8 -in KEY.pem -out PLAIN.pem' and give that file")
      default:
        throw SigningKey.KeyError(
          message: "the key is not a private key in PEM",
          help:
            "give the whole file, with its lines BEGIN and END; a secret file has one line, with \\n for each line end")
      }
    }
    self.key = key
  }

  deinit { csigning_key_free(key) }

  /// Throws an error if the key does not fit an algorithm.
  func check(for algorithm: SigningAlgorithm) throws(SigningKey.KeyError) {
    let kind = Int(csigning_key_kind(key))
    let bits = csigning_key_bits(key)
    let (expected, name) =
      switch algorithm {
      case .rs256, .rs384, .rs512: (csigning_rsa, "an RSA key")
      case .es256: (csigning_p256, "an EC key of the curve P-256")
      case .es384: (csigning_p384, "an EC key of the curve P-384")
      case .es512: (csigning_p521, "an EC key of the curve P-521")
      case .hs256, .hs384, .hs512: (csigning_other, "a shared key")
      }
    guard kind == expected else {
      let found =
        switch kind {
        case csigning_rsa: "an RSA key"
        case csigning_p256: "an EC key of the curve P-256"
        case csigning_p384: "an EC key of the curve P-384"
        case csigning_p521: "an EC key of the curve P-521"
        case csigning_other_curve: "an EC key of another curve"
        default: "neither an RSA nor an EC key"
        }
      throw SigningKey.KeyError(
        message: "the key is \(found), and \(algorithm.rawValue) needs \(name)",
        help: "give the right key, or change 'algorithm'")
    }
    guard kind != csigning_rsa || bits >= 2048 else {
      throw SigningKey.KeyError(
        message: "the RSA key has \(bits) bits, and \(algorithm.rawValue) needs at least 2048 (RFC 7518)",
        help: "make a new key with 'openssl genrsa 2048'")
    }
  }

  /// Signs a message.
  func signature(of message: [UInt8], digestBits: Int) throws(SigningKey.KeyError) -> [UInt8] {
    // An RSA signature is as long as its key, an ECDSA signature at most 139 bytes.
    var signature = [UInt8](repeating: 0, count: Int(csigning_key_bits(key)) / 8 + 128)
    var size = signature.count
    guard csigning_sign(key, Int32(digestBits), message, message.count, &signature, &size) == 0 else {
      throw SigningKey.KeyError(message: "libcrypto could not sign with the key", help: nil)
    }
    return Array(signature.prefix(size))
  }
}
