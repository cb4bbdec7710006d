internal import ByteCodings

/// A key for signatures, and its algorithm.
public struct SigningKey: Sendable {
  /// The reason why a text is not a key, without any part of the text.
  public struct KeyError: Error, Sendable, Hashable {
    /// The description of the error.
    public let message: String
    /// The help; nil if the message is enough.
    public let help: String?
  }

  /// The algorithm of the signatures.
  public let algorithm: SigningAlgorithm
  private let material: Material

  private enum Material: Sendable {
    case shared([UInt8])
    case `private`(PrivateKey)
    case placeholder
  }

  /// Creates a shared key for the HMAC algorithms.
  public init(_ algorithm: SigningAlgorithm, shared key: [UInt8]) {
    self.algorithm = algorithm
    material = .shared(key)
  }

  /// Creates a placeholder for an unknown key, for example in a replay.
  ///
  /// Its signatures are well-formed, but no server accepts them.
  public init(placeholderFor algorithm: SigningAlgorithm) {
    self.algorithm = algorithm
    material = .placeholder
  }

  /// Reads a private key in PEM (RFC 7468): PKCS#8, PKCS#1 for RSA, or SEC 1 for ECDSA.
  ///
  /// Loads libcrypto with the first key. `\n` written out counts as a line end, as in the JSON files of Google.
  public init(_ algorithm: SigningAlgorithm, pem: String) throws(KeyError) {
    self.algorithm = algorithm
    let text = pem.contains("\n") ? pem : pem.replacing("\\n", with: "\n")
    for (label, what) in [("PUBLIC KEY-----", "a public key"), ("CERTIFICATE-----", "a certificate")]
    where text.contains(label) && !text.contains("PRIVATE KEY-----") {
      throw KeyError(message: "the key is \(what)", help: "give the private key that belongs to it")
    }
    let key = try PrivateKey(pem: text)
    try key.check(for: algorithm)
    material = .private(key)
  }

  /// Signs a message. An ECDSA signature has both numbers in full length, as RFC 7518, section 3.4 requires.
  func signature(of message: [UInt8]) throws(KeyError) -> [UInt8] {
    switch material {
    case .shared(let key): return digest.authenticationCode(of: message, key: key)
    case .placeholder: return [UInt8](repeating: 0, count: algorithm.bits / 8)
    case .private(let key):
      let signature = try key.signature(of: message, digestBits: algorithm.bits)
      guard let length = algorithm.numberLength else { return signature }
      guard let raw = Self.numbers(inDER: signature, length: length) else {
        throw KeyError(message: "libcrypto returned a signature that is not DER", help: nil)
      }
      return raw
    }
  }

  private var digest: DigestAlgorithm {
    switch algorithm.bits {
    case 384: .sha384
    case 512: .sha512
    default: .sha256
    }
  }

  /// The two numbers of a DER signature (RFC 3279, section 2.2.3), each with `length` bytes; nil for other bytes.
  static func numbers(inDER bytes: [UInt8], length: Int) -> [UInt8]? {
    var rest = bytes[...]
    // For these curves a sequence has at most 139 bytes, so its length is one byte, or one byte after 0x81.
    func take(_ tag: UInt8) -> ArraySlice<UInt8>? {
      guard rest.count >= 2, rest.removeFirst() == tag, var count = rest.popFirst() else { return nil }
      if count == 0x81 {
        guard let long = rest.popFirst(), long >= 0x80 else { return nil }
        count = long
      } else if count >= 0x80 {
        return nil
      }
      guard rest.count >= Int(count) else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return rest.prefix(Int(count))
    }
    guard let sequence = take(0x30), rest.isEmpty else { return nil }
    rest = sequence
    var raw: [UInt8] = []
    for _ in 0..<2 {
      guard let number = take(0x02)?.drop(while: { $0 == 0 }), number.count <= length else { return nil }
      raw += [UInt8](repeating: 0, count: length - number.count) + number
    }
    return rest.isEmpty ? raw : nil
  }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The algorithm; never the key.
  public var description: String { "key for \(algorithm.rawValue)" }
  /// The same text as `description`.
  public var debugDescription: String { description }
  /// Shows only the algorithm, so that a dump does not show the key.
  public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm.rawValue]) }
}
