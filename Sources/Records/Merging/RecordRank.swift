internal import FieldTypes
internal import JSONSyntax

/// Determines which of two records with the same key is newer: the record with the greater value in one field.
///
/// Values are compared in the order of the type of the field. A record without a value is as new as any other.
enum RecordRank: Sendable, Equatable {
  case absent
  /// An integer, or an instant in units of 100 ns.
  case number(Int64)
  /// The bytes of a text.
  case text([UInt8])

  /// Whether a record with this rank replaces an earlier record with the other rank.
  func replaces(_ other: RecordRank) -> Bool {
    switch (self, other) {
    case (.number(let own), .number(let other)): own >= other
    case (.text(let own), .text(let other)): !own.lexicographicallyPrecedes(other)
    default: true
    }
  }
}

/// Reads the ranks of the rows of batches.
struct RecordRanks {
  private let position: Int
  private let type: FieldTypeName

  /// Creates a reader of the ranks in a field; nil when the field is not in the schema or its type has no order.
  init?(_ plan: MappingPlan, field name: String?) {
    guard let name, let position = plan.objects[0].mappings.firstIndex(where: { $0.name == name }) else { return nil }
    type = plan.schema.fields[position].type.typeName
    guard [.timestamp, .date, .integer, .string].contains(type) else { return nil }
    self.position = position
  }

  func of(_ batch: RecordBatch, _ row: Int) -> RecordRank {
    let cell = batch.cells[row * batch.width + position]
    switch cell.kind {
    case .integer: return .number(cell.value)
    case .windowText: return rank(UnsafeBufferPointer(start: batch.window + Int(cell.value), count: Int(cell.length)))
    case .ownText:
      let range = Int(cell.value)..<Int(cell.value) + Int(cell.length)
      return rank(UnsafeBufferPointer(rebasing: batch.text.bytes[range]))
    default: return .absent
    }
  }

  private func rank(_ text: UnsafeBufferPointer<UInt8>) -> RecordRank {
    guard type != .string else { return .text(Array(text)) }
    return PersistedInstant.units(text).map { .number($0) } ?? .text(Array(text))
  }
}

/// The instants of persisted timestamps and dates: `2024-01-05`, `2024-01-05T10:30:00.25Z`.
enum PersistedInstant {
  /// The time since year 0 in units of 100 ns; nil for a text of another form.
  static func units(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let year = number(text, 0..<4), let month = number(text, 5..<7), let day = number(text, 8..<10),
      (1...12).contains(month)
    else { return nil }
    var seconds = days(year, month, day) * 86_400
    guard text.count > 10 else { return seconds * 10_000_000 }
    guard let hour = number(text, 11..<13), let minute = number(text, 14..<16), let second = number(text, 17..<19)
    else { return nil }
    seconds += hour * 3600 + minute * 60 + second
    var units: Int64 = 0
    var scale: Int64 = 1_000_000
    for byte in text.dropFirst(20) where (0x30...0x39).contains(byte) {
      units += Int64(byte - 0x30) * scale
      scale /= 10
    }
    return seconds * 10_000_000 + units
  }

  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int64? {
    guard text.count >= range.upperBound else { return nil }
    var value: Int64 = 0
    for byte in text[range] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }

  /// The number of days in the Gregorian calendar from year 0 to a date.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Years begin in March, so that a leap day is the last one.
    let year = month <= 2 ? year - 1 : year
    let month = month <= 2 ? month + 9 : month - 3
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day
  }
}
