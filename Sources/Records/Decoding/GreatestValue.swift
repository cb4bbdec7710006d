internal import FieldTypes
internal import JSONSyntax

/// The greatest value of one field among some records, in the order of its type.
///
/// Timestamps, dates and integers are compared by their values. Texts are compared by their UTF-8 bytes. A record
/// causes an allocation only if its value is greater than all earlier values.
public struct GreatestValue: Sendable, Hashable {
  private enum Order { case instant, integer, bytes }

  private let position: Int
  private let order: Order
  /// The number of records without a value.
  public private(set) var absent = 0
  private var integer: Int64?
  /// The greatest text as it is persisted, but without the `Z` of a timestamp.
  ///
  /// A fraction must count as greater: with the `Z`, `…:00.5Z` would sort before `…:00Z`.
  private var bytes: [UInt8]?
  /// The greatest text after the limit, in the same form.
  private var ahead: [UInt8]?
  /// The limit, in the same form; nil for none.
  private let limit: [UInt8]?

  /// Starts without a value. The result is nil when the schema has no such field, or when the field's type has no
  /// order.
  ///
  /// - Parameter limit: the greatest timestamp or date that is not in the future, in the persisted form; nil for no
  ///   limit
  public init?(_ field: String, of schema: RecordSchema, limit: String? = nil) {
    guard let position = schema.fields.firstIndex(where: { $0.name == field }) else { return nil }
    switch schema.fields[position].type.typeName {
    case .timestamp: order = .instant
    case .integer: order = .integer
    case .date, .string: order = .bytes
    default: return nil
    }
    self.position = position
    self.limit = limit.map { Array($0.utf8.last == UInt8(ascii: "Z") ? $0.utf8.dropLast() : $0.utf8[...]) }
  }

  /// Starts with the values of a batch. The batch may have a different schema for the same records.
  public init?(_ field: String, in batch: RecordBatch, limit: String? = nil) {
    self.init(field, of: batch.plan.schema, limit: limit)
    take(batch)
  }

  /// The greatest value as it is persisted; nil before the first value.
  public var text: String? { ahead.map(written) ?? textWithinLimit }

  /// The greatest value that is not after the limit, in the persisted form; nil without such a value.
  public var textWithinLimit: String? {
    order == .integer ? integer.map { String($0) } : bytes.map(written)
  }

  private func written(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self) + (order == .instant ? "Z" : "")
  }

  /// Updates the greatest value with the values of all records of a batch.
  public mutating func take(_ batch: RecordBatch) {
    for row in 0..<batch.count {
      let cell = batch.cells[row * batch.width + position]
      switch cell.kind {
      case .integer: integer = max(integer ?? cell.value, cell.value)
      case .windowText: take(UnsafeBufferPointer(start: batch.window + Int(cell.value), count: Int(cell.length)))
      case .ownText:
        take(UnsafeBufferPointer(rebasing: batch.text.bytes[Int(cell.value)..<Int(cell.value) + Int(cell.length)]))
      default: absent += 1
      }
    }
  }

  /// Merges the greatest value of the same field in other records, and their count of records without a value.
  public mutating func take(_ other: GreatestValue) {
    absent += other.absent
    if let value = other.integer { integer = max(integer ?? value, value) }
    if let found = other.bytes, bytes.map({ $0.lexicographicallyPrecedes(found) }) ?? true { bytes = found }
    if let found = other.ahead, ahead.map({ $0.lexicographicallyPrecedes(found) }) ?? true { ahead = found }
  }

  /// Takes over the greatest value of other records if it is greater. The count of records without a value stays.
  public mutating func take(present other: GreatestValue) {
    var other = other
    other.absent = 0
    take(other)
  }

  private mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
    let text =
      order == .instant && text.last == UInt8(ascii: "Z") ? UnsafeBufferPointer(rebasing: text.dropLast()) : text
    if let bytes, !bytes.lexicographicallyPrecedes(text) { return }
    if let limit, limit.lexicographicallyPrecedes(text) {
      if let ahead, !ahead.lexicographicallyPrecedes(text) { return }
      ahead = Array(text)
    } else {
      bytes = Array(text)
    }
  }
}
