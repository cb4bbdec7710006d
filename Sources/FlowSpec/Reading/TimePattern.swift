/// The strptime conversions that timestamps may be read with.
enum TimePattern {
  /// Their letters.
  static let conversions = "YmdHMSyjbBaAeIpzZTDFRfsnt%"
}
