/// The role of a name that the author of a file chooses. The role determines the allowed characters.
package enum NameRole: String, Sendable, Hashable, CaseIterable {
  case flow, variable, secret, schema, receiver, field, tag, header, parameter, path
  case choice = "case"

  /// The pattern of allowed names, as a regular expression for editors.
  package var pattern: String {
    switch self {
    case .flow, .schema, .receiver: "^[A-Za-z_][A-Za-z0-9_-]*$"
    case .variable, .secret: "^[A-Za-z_][A-Za-z0-9_]*$"
    case .tag: "^[A-Za-z0-9_][A-Za-z0-9_.:/-]*$"
    case .header: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
    case .path: "^\\$"
    case .field, .parameter, .choice: "^[^\\u0000-\\u001F\\u007F]+$"
    }
  }

  /// The rule for allowed names, in words.
  var rule: String {
    switch self {
    case .flow, .schema, .receiver: "a letter or '_', then letters, digits, '_' and '-'"
    case .variable, .secret: "a letter or '_', then letters, digits and '_'"
    case .tag: "letters, digits, '_', '-', '.', ':' and '/'"
    case .header: "letters, digits and '-'"
    case .path: "a JSONPath, which begins with '$'"
    case .field, .parameter, .choice: "any text without control characters"
    }
  }

  /// Whether a name is allowed in this role.
  func admits(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { bytes in
      guard let lead = bytes.first, bytes.count <= 200 else { return false }
      switch self {
      case .flow, .schema, .receiver:
        return ASCII.isNameStart(lead) && bytes.allSatisfy { ASCII.isNameCharacter($0) || $0 == UInt8(ascii: "-") }
      case .variable, .secret:
        return ASCII.isNameStart(lead) && bytes.allSatisfy(ASCII.isNameCharacter)
      case .tag:
        return ASCII.isNameCharacter(lead)
          && bytes.allSatisfy { ASCII.isNameCharacter($0) || "-.:/".utf8.contains($0) }
      case .header:
        return bytes.allSatisfy(ASCII.isTokenCharacter)
      case .field, .parameter, .path, .choice:
        return !bytes.contains(where: ASCII.isControl)
      }
    }
  }
}
