extension WallClock {
  /// Milliseconds since 1970 UTC.
  public var milliseconds: Int64 {
    let (seconds, attoseconds) = sinceEpoch().components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
