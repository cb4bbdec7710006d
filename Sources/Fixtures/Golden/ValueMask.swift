internal import ByteCodings
package import JSONSyntax

/// A change to a value of a record before the comparison, for values that differ in every run.
package struct ValueMask: Sendable, Hashable {
  /// The change to the value.
  package enum Rule: Sendable, Hashable {
    /// All values of this kind count as equal.
    case any(Kind)
    /// A number is rounded to a number of decimals.
    case round(Int)
    /// A list is sorted, so that the order of its elements does not matter.
    case sort
  }

  /// The kind of a value.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Any value except null.
    case value
    /// A string that is not empty.
    case string
    /// A number.
    case number
    /// A number without fraction.
    case integer
    /// `true` or `false`.
    case boolean
    /// A UUID with hyphens, RFC 9562.
    case uuid
    /// An ISO 8601 text with date and time, or a number of seconds or milliseconds since 1970.
    case timestamp
    /// A date, such as `2026-11-21`.
    case date
    /// An http or https URL.
    case url
  }

  /// The path of the value in a record.
  package let path: JSONPath
  /// The change to the value.
  package let rule: Rule

  /// Creates a mask.
  package init(_ path: JSONPath, _ rule: Rule) {
    self.path = path
    self.rule = rule
  }

  /// Returns the record with the mask applied.
  ///
  /// A value to which the rule cannot be applied stays unchanged, so it differs in the comparison.
  package func apply(to record: JSONValue) -> JSONValue {
    var record = record
    for node in (try? path.nodes(in: record)) ?? [] {
      guard let masked = Self.masked(node.value, rule) else { continue }
      record = record.replacing(node.location.steps[...], with: masked)
    }
    return record
  }

  private static func masked(_ value: JSONValue, _ rule: Rule) -> JSONValue? {
    switch rule {
    case .any(let kind): return kind.admits(value) ? .string("any(\(kind.rawValue))") : nil
    case .round(let decimals):
      guard case .number(let number) = value, let text = rounded(number, decimals) else { return nil }
      return .number(JSONNumber(validated: text))
    case .sort:
      guard case .array(let elements) = value else { return nil }
      let sorted = elements.map { ($0, JSONWriter.bytes($0.withSortedMembers)) }
        .sorted { $0.1.lexicographicallyPrecedes($1.1) }
      return .array(sorted.map(\.0))
    }
  }

  /// Rounds a number, half away from zero. Nil when it is too large, so that its notation stays unchanged.
  ///
  /// The rounding uses the double that is nearest to the number.
  private static func rounded(_ number: JSONNumber, _ decimals: Int) -> String? {
    guard let value = number.double else { return nil }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled.magnitude < 9e15 else { return nil }
    let whole = Int64(scaled)
    guard decimals > 0 else { return String(whole) }
    var digits = String(whole.magnitude)
    if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
    return (whole < 0 ? "-" : "") + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }
}

extension ValueMask.Rule {
  /// Parses `any(uuid)`, `round(2)` or `sort`; nil for any other text.
  package init?(_ text: String) {
    if text == "sort" {
      self = .sort
    } else if text.hasPrefix("any("), text.hasSuffix(")"),
      let kind = ValueMask.Kind(rawValue: String(text.dropFirst(4).dropLast()))
    {
      self = .any(kind)
    } else if text.hasPrefix("round("), text.hasSuffix(")"), let decimals = Int(text.dropFirst(6).dropLast()),
      (0...12).contains(decimals)
    {
      self = .round(decimals)
    } else {
      return nil
    }
  }
}

extension ValueMask.Kind {
  /// Whether a value is of this kind.
  func admits(_ value: JSONValue) -> Bool {
    switch self {
    case .value: return value != .null
    case .string: return value.string.map { !$0.isEmpty } ?? false
    case .number: if case .number = value { return true } else { return false }
    case .integer: return value.int64 != nil
    case .boolean: return value.bool != nil
    case .uuid: return value.string.map(Self.isUUID) ?? false
    case .date: return value.string.map { $0.utf8.count == 10 && Self.isDate(Array($0.utf8)[...]) } ?? false
    case .timestamp:
      if case .number = value { return value.int64.map { $0 > 0 } ?? true }
      guard let bytes = value.string.map({ Array($0.utf8) }), bytes.count >= 16, Self.isDate(bytes[..<10]) else {
        return false
      }
      return (bytes[10] == UInt8(ascii: "T") || bytes[10] == 0x20) && bytes[13] == UInt8(ascii: ":")
        && bytes[11] &- 0x30 < 10 && bytes[12] &- 0x30 < 10
    case .url:
      return value.string.map { $0.hasPrefix("http://") || $0.hasPrefix("https://") || $0.hasPrefix("{{") } ?? false
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 36
      && bytes.indices.allSatisfy {
        [8, 13, 18, 23].contains($0) ? bytes[$0] == UInt8(ascii: "-") : Hex.value(bytes[$0]) != nil
      }
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.enumerated().allSatisfy {
      $0.offset == 4 || $0.offset == 7 ? $0.element == UInt8(ascii: "-") : $0.element &- 0x30 < 10
    }
  }
}

extension JSONValue {
  /// Replaces the value at the end of the steps. Returns `self` unchanged when the steps lead to no value.
  func replacing(_ steps: ArraySlice<JSONPath.Step>, with value: JSONValue) -> JSONValue {
    guard let step = steps.first else { return value }
    switch (step, self) {
    case (.name(let name), .object(var object)):
      guard let inner = object[name] else { return self }
      object[name] = inner.replacing(steps.dropFirst(), with: value)
      return .object(object)
    case (.index(let index), .array(var elements)):
      guard elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(steps.dropFirst(), with: value)
      return .array(elements)
    default: return self
    }
  }
}
