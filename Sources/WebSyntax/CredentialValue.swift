internal import ByteCodings

/// Recognizes credentials by their form, whatever their names.
package enum CredentialValue {
  /// The first characters of the tokens of well-known services. Each is long enough to be unique.
  private static let beginnings = [
    "AIza", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "rk_live_", "sk_live_", "sk_test_", "xoxa-",
    "xoxb-", "xoxp-",
  ]

  /// Whether a text is the token of a well-known service, or a JSON Web Token (RFC 7519).
  package static func isKnown(_ text: String) -> Bool {
    guard text.utf8.count >= 20,
      text.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "_-.".utf8.contains($0) })
    else { return false }
    if text.hasPrefix("eyJ") { return text.utf8.count { $0 == UInt8(ascii: ".") } == 2 }
    return beginnings.contains { text.hasPrefix($0) }
  }
}
