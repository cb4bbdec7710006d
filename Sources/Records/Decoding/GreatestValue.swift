internal import FieldTypes
internal import JSONSyntax

/// The greatest value that a field has had in some records, by the order of the field's type.
///
/// Timestamps, dates and integers are compared as such, texts by their UTF-8 bytes. Per record nothing is allocated unless
/// its value is greater than all before.
public struct GreatestValue: Sendable, Hashable {
  private enum Order { case instant, integer, bytes }

  private let position: Int
  private let order: Order
  private var integer: Int64?
  /// As it is persisted, without the `Z` of an instant, so that a fraction counts as more than none.
  private var bytes: [UInt8]?

  /// Nothing yet; nil when the schema has no such field, or one that has no order.
  public init?(_ field: String, of schema: RecordSchema) {
    guard let position = schema.fields.firstIndex(where: { $0.name == field }) else { return nil }
    switch schema.fields[position].type.typeName {
    case .timestamp: order = .instant
    case .integer: order = .integer
    case .date, .string: order = .bytes
    default: return nil
    }
    self.position = position
  }

  /// The value as it is persisted; nil before the first.
  public var text: String? {
    if order == .integer { return integer.map { String($0) } }
    return bytes.map { String(decoding: $0, as: UTF8.self) + (order == .instant ? "Z" : "") }
  }

  /// Takes all records of a batch.
  public mutating func take(_ batch: RecordBatch) {
    for row in 0..<batch.count {
      let cell = batch.cells[row * batch.width + position]
      switch cell.kind {
      case .integer: integer = max(integer ?? cell.value, cell.value)
      case .windowText: take(UnsafeBufferPointer(start: batch.window + Int(cell.value), count: Int(cell.length)))
      case .ownText:
        take(UnsafeBufferPointer(rebasing: batch.text.bytes[Int(cell.value)..<Int(cell.value) + Int(cell.length)]))
      default: break
      }
    }
  }

  /// Takes what others have found of the same field.
  public mutating func take(_ other: GreatestValue) {
    if let value = other.integer { integer = max(integer ?? value, value) }
    if let found = other.bytes, bytes.map({ $0.lexicographicallyPrecedes(found) }) ?? true { bytes = found }
  }

  private mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
    let text =
      order == .instant && text.last == UInt8(ascii: "Z") ? UnsafeBufferPointer(rebasing: text.dropLast()) : text
    if let bytes, !bytes.lexicographicallyPrecedes(text) { return }
    bytes = Array(text)
  }
}
