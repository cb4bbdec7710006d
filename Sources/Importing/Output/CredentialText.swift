/// Credentials that are written out in a header.
enum CredentialText {
  private static let schemes: Set<String> = ["bearer", "basic", "token", "apikey", "key"]

  /// Splits a value into its scheme, such as `Bearer` with the space after it, and the credential itself.
  static func parts(_ text: String) -> (scheme: String, credential: String) {
    let scheme = text.prefix { $0 != " " }
    let rest = text[scheme.endIndex...].drop { $0 == " " }
    guard schemes.contains(scheme.lowercased()), !rest.isEmpty else { return ("", text) }
    return ("\(scheme) ", String(rest))
  }

  /// Splits the literal text at the beginning of a value into the scheme and the rest. The rest may be empty, because a
  /// variable with the credential may follow.
  static func start(_ text: String) -> (scheme: String, rest: String) {
    schemes.contains(text.trimmed.lowercased()) && text.hasSuffix(" ") ? (text, "") : parts(text)
  }
}
