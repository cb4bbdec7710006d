/// What a receiver can be told about a flow, the gravest first.
package enum NoticeEvent: String, Sendable, Hashable, CaseIterable {
  /// The flow did not pass.
  case failed
  /// The flow passed without all of its records, or without its result.
  case missing
  /// The result is older than `expect.freshness` allows.
  case stale
  /// The flow is again as it should be.
  case recovered
  /// The flow passed for the first time.
  case first
}
