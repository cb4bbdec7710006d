internal import ByteCodings
internal import FieldTypes
internal import JSONSyntax

/// Conversions of values of other types, for fields with `coerce`. None of them loses information.
extension RecordDecoder {
  /// Converts a text that does not match its type. An empty text is null.
  func coercedText(_ type: MappingPlan.TypeCode, _ token: Int, or mismatch: Decoded) throws(JSONError) -> Decoded {
    let content = try tokens.string(token)
    guard content.length > 0 else { return (.null, token &+ 1) }
    let bytes = UnsafeBufferPointer(start: tokens.base + content.start, count: content.length)
    switch type.kind {
    case .integer:
      guard TextForms.isNumber(bytes), let value = NumberToken.exactInt64(bytes) else { return mismatch }
      return (Cell(kind: .integer, length: 0, value: value), token &+ 1)
    case .boolean:
      guard let value = Self.boolean(bytes) else { return mismatch }
      return (Cell(kind: value ? .true : .false, length: 0, value: 0), token &+ 1)
    default: return mismatch
    }
  }

  /// Converts the numbers 1 and 0 to booleans.
  func coercedNumber(_ token: Int) throws(JSONError) -> Decoded {
    let digits = try tokens.number(token)
    switch NumberToken.exactInt64(digits) {
    case 1: return (Cell(kind: .true, length: 0, value: 0), token &+ 1)
    case 0: return (Cell(kind: .false, length: 0, value: 0), token &+ 1)
    default: return (.mismatch(.type(.boolean), at: tokens.start(token)), token &+ 1)
    }
  }

  private static func boolean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard bytes.count <= 5 else { return nil }
    return switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "1", "yes", "on", "y", "t", "true": true
    case "0", "no", "off", "n", "f", "false": false
    default: nil
    }
  }
}
