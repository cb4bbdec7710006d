internal import WebSyntax

/// Checks base URLs and proxies where they are written. The same reading stands behind each request.
public enum BaseURLText {
  /// Refuses what cannot be a base URL.
  ///
  /// - Parameter isWhole: false for the text in front of a template, of which only the part that is there is checked.
  public static func check(_ text: String, isWhole: Bool = true) throws(URLSyntaxError) {
    try check(text, schemes: ["http", "https"], name: "base URL", isWhole: isWhole)
  }

  /// Refuses what cannot be a proxy's URL; here user information is allowed.
  public static func checkProxy(_ text: String, isWhole: Bool = true) throws(URLSyntaxError) {
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
        default: nil
        }
      throw URLSyntaxError("the \(name) \(error)", at: error.offset, help: help)
    }
  }

  /// The text with a host in place of one that goes on in a template.
  private static func closed(_ text: String) -> String {
    guard let start = text.firstRange(of: "://")?.upperBound,
      !text[start...].contains(where: { "/?#".contains($0) })
    else { return text }
    let user = text[start...].lastIndex(of: "@").map { text[...$0] } ?? text[..<start]
    return user + "host"
  }
}
