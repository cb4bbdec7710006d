package import WebSyntax

extension Headers {
  /// The rate limit of the fields; nil when they have none.
  ///
  /// - Parameter now: the time of day in seconds since 1970
  package func rateLimit(now: Double) -> RateLimitHeaders? {
    guard fields.indices.contains(where: { RateLimitHeaders.mayBe(fields[$0].name) }) else { return nil }
    return RateLimitHeaders(now: now, fields: values)
  }
}
