extension Duration {
  /// As seconds in a message: `1.5 s`, `90 s`; without what is below a millisecond.
  var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    guard milliseconds > 0, seconds < 1_000_000 else { return "\(seconds) s" }
    var fraction = String(1000 + milliseconds).dropFirst()
    while fraction.hasSuffix("0") { fraction = fraction.dropLast() }
    return "\(seconds).\(fraction) s"
  }

  /// As a number of seconds.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
