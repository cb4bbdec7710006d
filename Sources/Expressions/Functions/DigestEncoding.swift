internal import ByteCodings

/// An argument of a digest function that is one of several words, such as `hex`.
protocol DigestArgument: RawRepresentable, CaseIterable where RawValue == String {
  /// A noun for the meaning of these words, for messages.
  static var noun: String { get }
  /// The list of the words, for messages.
  static var expected: String { get }
}

/// The encoding of a digest as text.
enum DigestEncoding: String, DigestArgument {
  case hex, base64, base64url

  static let noun = "encoding of a digest"
  static let expected = "'hex', 'base64' or 'base64url'"

  /// The bytes of a digest as text in this encoding.
  func text(_ bytes: [UInt8]) -> String {
    switch self {
    case .hex: Hex.text(bytes)
    case .base64: Base64.encode(bytes)
    case .base64url: Base64.encodeURLSafe(bytes)
    }
  }
}

/// The encoding in which the bytes of a key are given as text.
enum KeyEncoding: String, DigestArgument {
  case text, hex, base64, base64url

  static let noun = "encoding of a key"
  static let expected = "'text', 'hex', 'base64' or 'base64url'"

  /// The bytes of a key; nil for a text that is not in the encoding.
  func bytes(_ key: String) -> [UInt8]? {
    switch self {
    case .text: Array(key.utf8)
    case .hex: Hex.bytes(key.utf8)
    case .base64, .base64url: Base64.decode(Array(key.utf8), allowing: .urlSafe)
    }
  }
}

extension Arguments {
  /// The encoding that an optional argument names; nil without the argument.
  func encoding<Encoding: DigestArgument>(_ position: Int) throws(EvaluationError) -> Encoding? {
    guard values.indices.contains(position) else { return nil }
    guard let encoding = Encoding(rawValue: try string(position)) else {
      throw EvaluationError(.badArgument, "the \(Encoding.noun) must be \(Encoding.expected)")
    }
    return encoding
  }
}
