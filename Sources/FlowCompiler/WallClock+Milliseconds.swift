internal import ReactorCore

extension WallClock {
  /// Milliseconds since 1970 UTC.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = sinceEpoch().components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
