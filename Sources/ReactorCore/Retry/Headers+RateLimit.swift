package import WebSyntax

extension Headers {
  /// The rate limit in the header fields; nil when there is none.
  ///
  /// - Parameter now: the current time in seconds since 1970
  package func rateLimit(now: Double) -> RateLimitHeaders? {
    guard fields.indices.contains(where: { RateLimitHeaders.mayBe(fields[$0].name) }) else { return nil }
    return RateLimitHeaders(now: now, fields: values)
  }
}
