package import Expressions
package import ReactorCore

extension WallClock {
  /// The present as expressions see it.
  package var now: ExpressionTimestamp {
    let (seconds, attoseconds) = sinceEpoch().components
    return ExpressionTimestamp(secondsSince1970: seconds, nanosecond: Int(attoseconds / 1_000_000_000)) ?? .epoch
  }
}
