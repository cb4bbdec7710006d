internal import FieldTypes
package import FlowModel

/// Reads 64-bit decimal integers: digits with an optional minus sign, without leading zeros.
package enum IntegerText {
  /// Parses an integer.
  package static func value(of text: String) throws(ValueError) -> Int {
    let bytes = Array(text.utf8)
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else {
      throw ValueError(expected: "an integer", suggestion: suggestion(for: text))
    }
    guard digits.count == 1 || digits.first != UInt8(ascii: "0"), text != "-0" else {
      let plain = digits.drop { $0 == UInt8(ascii: "0") }
      let sign = bytes.first == UInt8(ascii: "-") && !plain.isEmpty ? "-" : ""
      throw ValueError(
        expected: "an integer", detail: "leading zeros are not allowed",
        suggestion: sign + (plain.isEmpty ? "0" : String(decoding: plain, as: UTF8.self)))
    }
    guard let value = Int(text) else {
      throw ValueError(expected: "an integer", detail: "it does not fit in 64 bits")
    }
    return value
  }

  /// Suggests the text without separators, for `1_000` and `1,000`.
  private static func suggestion(for text: String) -> String? {
    let plain = text.filter { $0 != "_" && $0 != "," && $0 != " " }
    guard plain != text, !plain.isEmpty, plain.utf8.allSatisfy(ASCII.isDigit), plain.first != "0" else { return nil }
    return plain
  }
}

/// Checks numbers in JSON's grammar (RFC 8259, section 6).
package enum NumberText {
  /// Throws an error if a text is not a finite number in this grammar.
  package static func check(_ text: String) throws(ValueError) {
    guard isNumber(text) else { throw ValueError(expected: "a number") }
    guard let value = Double(text), value.isFinite else {
      throw ValueError(expected: "a number", detail: "it is too large")
    }
  }

  /// Whether a text is a number in JSON's grammar, of any size.
  package static func isNumber(_ text: String) -> Bool { FieldTypeName.number.admits(text) }
}

/// Reads booleans: only `true` and `false`.
package enum BooleanText {
  /// Parses a boolean.
  package static func value(of text: String) throws(ValueError) -> Bool {
    switch text {
    case "true": return true
    case "false": return false
    default:
      throw ValueError(expected: "'true' or 'false'", suggestion: suggestion(for: text))
    }
  }

  /// Suggests a boolean for words of YAML 1.1 and of other languages.
  private static func suggestion(for text: String) -> String? {
    switch text.lowercased() {
    case "true", "yes", "on", "y", "t", "1", "enabled": "true"
    case "false", "no", "off", "n", "f", "0", "disabled": "false"
    default: nil
    }
  }
}

/// Reads sizes: a number of bytes (`4096`), or a number with a unit (`500kB`, `32MiB`, `2GiB`).
package enum SizeText {
  private static let expected = "a size such as 500kB, 32MiB or 2GiB"

  /// Parses a size and returns it in bytes, at least 1.
  package static func bytes(in text: String) throws(ValueError) -> Int {
    let all = Array(text.utf8)
    let digits = all.prefix(while: ASCII.isDigit)
    let number = String(decoding: digits, as: UTF8.self)
    let unit = String(decoding: all.dropFirst(digits.count), as: UTF8.self)
    guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      throw ValueError(expected: expected)
    }
    guard let factor = factor(of: unit) else {
      let suggestion = units.first { Self.folded($0.name) == Self.folded(unit) }
      throw ValueError(
        expected: expected, detail: "'\(unit)' is not a unit; units are B, kB, MB, GB, KiB, MiB and GiB",
        suggestion: suggestion.map { number + $0.name })
    }
    guard let count = Int(number) else { throw ValueError(expected: expected, detail: "it is too large") }
    let (size, overflow) = count.multipliedReportingOverflow(by: factor)
    guard !overflow, size <= 1 << 50 else { throw ValueError(expected: expected, detail: "it is too large") }
    guard size >= 1 else { throw ValueError(expected: expected, detail: "it must be at least one byte") }
    return size
  }

  private static let units: [(name: String, bytes: Int)] = [
    ("B", 1), ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
  ]

  private static func factor(of unit: String) -> Int? {
    unit.isEmpty ? 1 : units.first { $0.name == unit }?.bytes
  }

  /// The unit in a normalized spelling, so that `32 mib`, `32M` and `32Mi` are equal to `32MiB`.
  private static func folded(_ unit: String) -> String {
    let plain = unit.lowercased().filter { $0 != " " }
    return plain.hasSuffix("b") || plain.isEmpty ? plain : plain + "b"
  }
}

/// Reads statuses and ranges of statuses: `200`, `2xx`, `200-299`.
enum StatusText {
  /// Parses a range of statuses within 100 to 599; nil for other texts.
  static func range(_ text: String) -> ClosedRange<Int>? {
    let bytes = Array(text.utf8)
    if bytes.count == 3, (1...5).contains(Int(bytes[0]) - 0x30), bytes[1] | 0x20 == bytes[2] | 0x20,
      bytes[1] | 0x20 == UInt8(ascii: "x")
    {
      let base = (Int(bytes[0]) - 0x30) * 100
      return base...base + 99
    }
    let ends = bytes.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = ends.compactMap(number)
    guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last, first <= last else {
      return nil
    }
    return first...last
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == 3, bytes.allSatisfy(ASCII.isDigit) else { return nil }
    let number = bytes.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    return (100...599).contains(number) ? number : nil
  }
}

extension CountOrShare {
  /// Parses a count or a percentage: `5` or `2.5%`.
  ///
  /// - Throws: `ValueError` for other texts.
  package init(parsing text: String) throws(ValueError) {
    let expected = "a number such as 5, or a share such as 10%"
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E || $0 == 0x25 }) else {
      throw ValueError(expected: expected)
    }
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()) else { throw ValueError(expected: expected) }
      guard percent <= 100 else { throw ValueError(expected: expected, detail: "a share must be from 0% to 100%") }
      self = .percent(percent)
    } else {
      guard let count = Int(text) else { throw ValueError(expected: expected) }
      self = .count(count)
    }
  }
}

/// Reads rates: `10/s`, `600/m`, `5000/h`, `1/5s`.
enum RateText {
  /// The allowed numbers of requests in a rate.
  static let requests = 1...100_000

  static func limit(in text: String) throws(ValueError) -> Rate.Limit {
    let expected = "a rate such as 10/s, 600/m or 1/5s"
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      let isNumber = Int(text) != nil
      throw ValueError(
        expected: expected, detail: "the period is missing", suggestion: isNumber ? "\(text)/s" : nil)
    }
    guard let requests = try? IntegerText.value(of: parts[0]), Self.requests.contains(requests) else {
      throw ValueError(
        expected: expected, detail: "the number of requests must be from 1 to \(Self.requests.upperBound)")
    }
    // `10/s` means `10/1s`.
    let time = parts[1].first.map { $0.isLetter && $0 != "P" } ?? false ? "1" + parts[1] : parts[1]
    let seconds: Double
    do throws(ValueError) {
      seconds = try DurationText.seconds(in: time)
    } catch {
      throw ValueError(expected: expected, detail: error.detail)
    }
    guard (0.001...86400).contains(seconds) else {
      throw ValueError(expected: expected, detail: "the period must be from 1ms to 1d")
    }
    return Rate.Limit(requests: requests, seconds: seconds)
  }
}
