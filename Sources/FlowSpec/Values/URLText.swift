internal import WebSyntax

/// Checks base URLs and proxy URLs with the same parser as requests.
package enum BaseURLText {
  /// Throws an error if a text cannot be a base URL.
  ///
  /// - Parameter isWhole: false if a template follows the text. Only the written part is then checked.
  package static func check(_ text: String, isWhole: Bool = true) throws(URLSyntaxError) {
    try check(text, schemes: ["http", "https"], name: "base URL", isWhole: isWhole)
  }

  /// Throws an error if a text cannot be the URL of a proxy. User information is allowed.
  package static func checkProxy(_ text: String, isWhole: Bool = true) throws(URLSyntaxError) {
    try check(text, schemes: ["http", "https", "socks5", "socks5h"], name: "proxy", isWhole: isWhole)
  }

  private static func check(_ text: String, schemes: [String], name: String, isWhole: Bool) throws(URLSyntaxError) {
    let isStart = schemes.contains { "\($0)://".hasPrefix(text.lowercased()) }
    if !isWhole, isStart { return }
    do throws(WrittenURLError) {
      _ = try WrittenURL(isWhole ? text : closed(text), schemes: schemes, mayHoldUser: name == "proxy")
    } catch {
      let help: String? =
        switch error.reason {
        case .noScheme: "write \(name == "proxy" ? "http" : "https")://\(text)"
        case .user: "write it as Authorization: \"Basic {{ secrets.NAME }}\""
        case .fragment: "leave out '#' and what follows"
        case _ where text.contains("{"): "a variable is written {{ vars.NAME }}"
        default: nil
        }
      throw URLSyntaxError("the \(name) \(error)", at: error.offset, help: help)
    }
  }

  /// The text with `host` instead of an incomplete host name that continues in a template.
  private static func closed(_ text: String) -> String {
    guard let start = text.firstRange(of: "://")?.upperBound,
      !text[start...].contains(where: { "/?#".contains($0) })
    else { return text }
    let user = text[start...].lastIndex(of: "@").map { text[...$0] } ?? text[..<start]
    return user + "host"
  }
}

/// Checks request paths, which have no query, fragment or scheme.
package enum RequestPathText {
  /// Throws an error if a text would change more of the URL than its path.
  package static func check(_ text: String) throws(URLSyntaxError) {
    let bytes = Array(text.utf8)
    if let bad = bytes.firstIndex(where: { ASCII.isControl($0) || $0 == UInt8(ascii: "\\") }) {
      throw URLSyntaxError("a path cannot contain backslashes or control characters", at: bad)
    }
    let lowered = text.lowercased()
    if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") || text.hasPrefix("//") {
      throw URLSyntaxError(
        "a path cannot have a scheme or a host", at: 0,
        help: "put them in base_url; a flow can have its own under 'http'")
    }
    if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
      throw URLSyntaxError(
        "a path cannot have a query", at: mark, help: "use query: \(example(from: bytes[(mark + 1)...]))")
    }
    if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
      throw URLSyntaxError(
        "a path cannot have a fragment", at: hash, help: "leave out '#' and what follows, or write it as %23")
    }
  }

  /// Whether a path, or the rest of a path, is simple, so that it needs no further checks.
  ///
  /// It then contains only unreserved characters and slashes.
  static func isPlain(_ text: String) -> Bool {
    guard !text.hasPrefix("//") else { return false }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "~"): continue
      default: guard ASCII.isNameCharacter(byte) else { return false }
      }
    }
    return true
  }

  /// The query as a value of the key `query`, for a suggestion; a general example if the query is not simple.
  private static func example(from query: ArraySlice<UInt8>) -> String {
    let pairs = query.split(separator: UInt8(ascii: "&")).map {
      $0.split(separator: UInt8(ascii: "="), maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    }
    let isSimple =
      !pairs.isEmpty
      && pairs.allSatisfy { pair in
        pair.count == 2
          && pair.allSatisfy { $0.utf8.allSatisfy { ASCII.isNameCharacter($0) || $0 == UInt8(ascii: "-") } }
      }
    return isSimple ? "{ " + pairs.map { "\($0[0]): \($0[1])" }.joined(separator: ", ") + " }" : "{ NAME: VALUE }"
  }
}
