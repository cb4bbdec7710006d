extension DiagnosticRenderer {
  /// The looks of a part of the output; the raw value is the ANSI code (ECMA-48 SGR).
  enum Style: String {
    case error = "1;31"
    case warning = "1;35"
    case note = "1;36"
    case bold = "1"
    case faint = "2"
  }
}
