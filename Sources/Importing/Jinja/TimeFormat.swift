/// A time format of a manifest, in the notation of the flow language.
struct TimeFormat: Hashable {
  /// The format for `format` of a cursor or a field: `iso8601`, `date`, `epoch_s`, `epoch_ms`, `epoch_us` or a pattern.
  let name: String

  /// The format as an argument of functions in expressions.
  var expression: String { name == "date" ? "%Y-%m-%d" : name }

  /// Whether every text in this format can be parsed as ISO 8601.
  var isISO: Bool { name == "iso8601" || isISOPattern }

  /// Whether the format writes days without a time.
  var isDay: Bool {
    name == "date"
      || name.hasPrefix("%") && !["H", "I", "M", "S", "s", "f", "T", "R"].contains { name.contains("%\($0)") }
  }

  private var isISOPattern: Bool {
    guard name.hasPrefix("%Y-%m-%dT%H:%M:%S") || name.hasPrefix("%Y-%m-%d %H:%M:%S") else { return false }
    let zone = name.dropFirst("%Y-%m-%dT%H:%M:%S".count)
    return ["Z", "%z", ".%fZ", ".%f%z", ".000Z", "+00:00", ".%f+00:00", ".000+00:00", ".000%z"].contains(zone)
  }

  /// Returns nil for a format that the flow language cannot express.
  init?(_ text: String) {
    switch text {
    case "%s", "%s_as_float": name = "epoch_s"
    case "%ms": name = "epoch_ms"
    case "%epoch_microseconds": name = "epoch_us"
    case "%Y-%m-%d": name = "date"
    // A fraction of three digits is written with as many digits as the time has.
    case "%Y-%m-%dT%H:%M:%S.%_msZ", "%Y-%m-%dT%H:%M:%S.%_ms%z": name = "iso8601"
    default:
      // A fraction of three digits is one of up to six.
      let text = text.replacing("%_ms", with: "%f")
      guard !text.isEmpty, text.utf8.count <= 100, !text.contains("epoch_microseconds") else { return nil }
      var isDirective = false
      for scalar in text.unicodeScalars {
        if isDirective {
          guard "YymdejHIMSfspbBaAzFTDRnthuwGV%".unicodeScalars.contains(scalar) else { return nil }
          isDirective = false
        } else {
          isDirective = scalar == "%"
        }
      }
      guard !isDirective, text.contains("%") else { return nil }
      name = text
    }
  }
}

/// A duration of ISO 8601, with its months and its seconds.
struct ISODuration: Hashable {
  let months: Int
  let seconds: Int

  /// Parses texts such as `P1D`, `PT1H30M`, `P1M` or `P2W`.
  init?(_ text: String) {
    guard text.hasPrefix("P"), text.utf8.count <= 40 else { return nil }
    var (months, seconds, digits, isTime, parts) = (0, 0, "", false, 0)
    for character in text.dropFirst() {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      if character == "T", digits.isEmpty, !isTime {
        isTime = true
        continue
      }
      guard let count = Int(digits), count < 1_000_000_000 else { return nil }
      switch (character, isTime) {
      case ("Y", false): months += count * 12
      case ("M", false): months += count
      case ("W", false): seconds += count * 604_800
      case ("D", false): seconds += count * 86_400
      case ("H", true): seconds += count * 3_600
      case ("M", true): seconds += count * 60
      case ("S", true): seconds += count
      default: return nil
      }
      digits = ""
      parts += 1
    }
    guard digits.isEmpty, parts > 0 else { return nil }
    self.months = months
    self.seconds = seconds
  }

  /// The duration in the shortest notation of the flow language.
  var text: String {
    if months != 0 { return months % 12 == 0 ? "P\(months / 12)Y" : "P\(months)M" }
    for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] where seconds != 0 && seconds % length == 0 {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }
}
