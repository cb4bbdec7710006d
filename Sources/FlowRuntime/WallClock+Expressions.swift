package import Expressions
package import ReactorCore

extension WallClock {
  /// The present time, as a value for expressions.
  package var now: ExpressionTimestamp {
    let (seconds, attoseconds) = sinceEpoch().components
    return ExpressionTimestamp(secondsSince1970: seconds, nanosecond: Int(attoseconds / 1_000_000_000)) ?? .epoch
  }
}
