package import WebSyntax

extension Headers {
  /// What the fields say about a rate limit; nil when they say nothing, which most do.
  ///
  /// - Parameter now: the time of day in seconds since 1970
  package func rateLimit(now: Double) -> RateLimitHeaders? {
    guard fields.indices.contains(where: { RateLimitHeaders.mayBe(fields[$0].name) }) else { return nil }
    return RateLimitHeaders(now: now, fields: values)
  }
}
