internal import ByteCodings

/// The URL of the shared state, as the user wrote it.
enum StateURL {
  /// The password in a URL, as written and decoded; empty without one.
  static func passwords(in url: String) -> [String] {
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return [] }
    let authority = url[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else { return [] }
    let written = String(authority[authority.index(after: colon)..<at])
    guard !written.isEmpty else { return [] }
    return [written, PercentCoding.decode(written)]
  }
}
