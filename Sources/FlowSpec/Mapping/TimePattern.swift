/// The strptime conversions that timestamps may be read with.
enum TimePattern {
  /// Their letters.
  static let conversions = "YmdHMSfzZbByjpIeaAsTFDR%"

  /// Whether a pattern of known conversions names a day: an epoch, or a year with a month and day or a day of the year.
  static func namesDay(_ pattern: String) -> Bool {
    var letters: Set<UInt8> = []
    var bytes = Array(pattern.utf8)[...]
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "%"), let letter = bytes.popFirst() { letters.insert(letter) }
    }
    func has(_ any: String) -> Bool { any.utf8.contains { letters.contains($0) } }
    return has("sFD") || (has("Yy") && (has("j") || (has("mbB") && has("de"))))
  }
}
