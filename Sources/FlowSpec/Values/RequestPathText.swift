/// Checks paths of requests: no query, no fragment, no scheme.
public enum RequestPathText {
  /// Refuses what would change more of the URL than its path.
  public static func check(_ text: String) throws(URLSyntaxError) {
    let bytes = Array(text.utf8)
    if let bad = bytes.firstIndex(where: { ASCII.isControl($0) || $0 == UInt8(ascii: "\\") }) {
      throw URLSyntaxError("a path holds no backslashes or control characters", at: bad)
    }
    let lowered = text.lowercased()
    if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") || text.hasPrefix("//") {
      throw URLSyntaxError(
        "a path has no scheme and no host", at: 0, help: "put them into base_url; a flow can have its own under 'http'")
    }
    if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
      throw URLSyntaxError(
        "a path has no query", at: mark, help: "use query: \(example(from: bytes[(mark + 1)...]))")
    }
    if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
      throw URLSyntaxError(
        "a path has no fragment", at: hash, help: "leave out '#' and what follows, or write it as %23")
    }
  }

  /// Whether a path, or the rest of one, is right at first sight, as nearly all are: unreserved characters and slashes.
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

  /// The query as it should be written, when it is simple enough.
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
