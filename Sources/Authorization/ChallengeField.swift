internal import ByteCodings

/// A challenge in a field `WWW-Authenticate` (RFC 9110, section 11.6.1): a scheme and its parameters.
struct ChallengeField {
  let scheme: String
  /// The parameters by name in lower case; if a name is repeated, the first one is used.
  private(set) var parameters: [String: String] = [:]

  private init(_ scheme: String) { self.scheme = scheme }

  subscript(_ name: String) -> String? { parameters[name] }

  /// The challenges of a field. A part that is neither a scheme nor a parameter is left out.
  static func challenges(in field: String) -> [ChallengeField] {
    var result: [ChallengeField] = []
    var scanner = Scanner(bytes: Array(field.utf8)[...])
    while true {
      scanner.skip { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 }
      guard !scanner.bytes.isEmpty else { return result }
      let word = scanner.token()
      guard !word.isEmpty else {
        _ = scanner.bytes.popFirst()
        continue
      }
      scanner.skip { $0 == 0x20 || $0 == 0x09 }
      guard scanner.bytes.first == UInt8(ascii: "="), !result.isEmpty else {
        result.append(ChallengeField(word))
        continue
      }
      _ = scanner.bytes.popFirst()
      scanner.skip { $0 == 0x20 || $0 == 0x09 }
      let value = scanner.value()
      let name = word.lowercased()
      if result[result.count - 1].parameters[name] == nil { result[result.count - 1].parameters[name] = value }
    }
  }

  private struct Scanner {
    var bytes: ArraySlice<UInt8>

    mutating func skip(_ isSkipped: (UInt8) -> Bool) { bytes = bytes.drop(while: isSkipped) }

    mutating func token() -> String {
      let word = bytes.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
      bytes = bytes.dropFirst(word.count)
      return String(decoding: word, as: UTF8.self)
    }

    /// Reads a token or a quoted string.
    mutating func value() -> String {
      guard bytes.first == UInt8(ascii: "\"") else { return token() }
      bytes.removeFirst()
      var text: [UInt8] = []
      while let byte = bytes.popFirst(), byte != UInt8(ascii: "\"") {
        text.append(byte == UInt8(ascii: "\\") ? bytes.popFirst() ?? byte : byte)
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
}
