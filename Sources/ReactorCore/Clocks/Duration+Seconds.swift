extension Duration {
  /// The duration in seconds for a message, such as `1.5 s` or `90 s`; fractions of a millisecond are dropped.
  var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    guard milliseconds > 0, seconds < 1_000_000 else { return "\(seconds) s" }
    var fraction = String(1000 + milliseconds).dropFirst()
    while fraction.hasSuffix("0") { fraction = fraction.dropLast() }
    return "\(seconds).\(fraction) s"
  }

  /// The duration as a number of seconds.
  package var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
