/// The `RateLimit` field of the IETF drafts.
///
/// Both formats are read: the newer one (a list of policies) and the older one (a dictionary).
enum RateLimitField {
  /// The policy with the fewest remaining requests; of several such policies, the one with the longest reset.
  static func tightest(of fields: [String], now: Double) -> RateLimitHeaders? {
    let found = fields.flatMap { policies(of: $0, now: now) }
    return found.min { left, right in
      let leftRemains = left.remaining ?? .max
      let rightRemains = right.remaining ?? .max
      if leftRemains != rightRemains { return leftRemains < rightRemains }
      return left.reset ?? .zero > right.reset ?? .zero
    }
  }

  private static func policies(of field: String, now: Double) -> [RateLimitHeaders] {
    let members = split(field[...], at: ",").map { split($0, at: ";") }
    let entries = members.compactMap(\.first).compactMap(pair)
    if entries.contains(where: { $0.name == "remaining" || $0.name == "reset" || $0.name == "limit" }) {
      return [statement(entries, limit: "limit", remaining: "remaining", reset: "reset", now: now)].compactMap { $0 }
    }
    return members.compactMap { member in
      statement(member.dropFirst().compactMap(pair), limit: "q", remaining: "r", reset: "t", now: now)
    }
  }

  private static func statement(
    _ pairs: [(name: String, value: Substring)], limit: String, remaining: String, reset: String, now: Double
  ) -> RateLimitHeaders? {
    func value(_ name: String) -> Substring? { pairs.last { $0.name == name }?.value }
    func number(_ name: String) -> Int? {
      value(name).flatMap { DecimalSeconds.parse($0) }.map { Int(min($0, 1e15)) }
    }
    let statement = RateLimitHeaders(
      limit: number(limit), remaining: number(remaining),
      reset: value(reset).flatMap { RateLimitHeaders.reset($0, now: now) })
    return statement == RateLimitHeaders() ? nil : statement
  }

  private static func pair(_ text: Substring) -> (name: String, value: Substring)? {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let name = text[..<equals].filter { $0 != " " && $0 != "\t" }.lowercased()
    return (name, text[text.index(after: equals)...])
  }

  /// Splits a text at a separator outside of quoted strings.
  private static func split(_ text: Substring, at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var index = text.startIndex
    var isQuoted = false
    while index < text.endIndex {
      let character = text[index]
      if character == "\\", isQuoted {
        index = text.index(after: index)
        if index == text.endIndex { break }
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == separator, !isQuoted {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
      index = text.index(after: index)
    }
    parts.append(text[start...])
    return parts
  }
}
