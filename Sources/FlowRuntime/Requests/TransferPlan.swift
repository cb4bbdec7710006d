package import HTTPTransport
package import ReactorCore

/// How a flow's requests are sent: limits, retries, rates, and which responses count.
package struct TransferPlan: Sendable {
  /// How connections behave.
  package var options = HTTPOptions()
  /// What alone may be connected to, in words; nil for everything but link-local addresses.
  package var allowed: String?
  /// Which requests are sent again.
  package var retry = RetryPolicy.none
  /// How fast the host may be asked.
  package var pace = RatePace()
  /// What is done about responses that are errors; the first rule that applies counts.
  package var rules: [ErrorRule] = []
  /// Statuses taken as success, instead of 200–299; empty means 200–299.
  package var statuses: [ClosedRange<Int>] = []
  /// The longest the flow may take, in seconds.
  package var timeout = 3600.0
  /// Whether the host is probed before the request.
  package var checksReachability = false

  package init() {}
}
