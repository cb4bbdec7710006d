internal import FieldTypes
internal import Expressions
internal import JSONSyntax
internal import ReactorCore

extension RecordDecoder {
  /// Puts a computed value into a row.
  ///
  /// The value is converted by the field's type, like a value of a response.
  func set(_ field: Int, to value: ExpressionValue, in row: UnsafeMutablePointer<Cell>) throws(RecordError) {
    let type = plan.types[Int(plan.fields[field].type)]
    switch (type.kind, value) {
    case (.json, _): try read(value, as: type, field, row)
    case (_, .null), (_, .json(.null)): row[field] = .null
    case (.string, .string(let text)):
      let start = batch.text.count
      batch.text.append(utf8: text)
      row[field] = Cell(kind: .ownText, length: UInt32(batch.text.count - start), value: Int64(start))
    case (.integer, .int(let value)): row[field] = Cell(kind: .integer, length: 0, value: value)
    case (.boolean, .bool(let value)): row[field] = Cell(kind: value ? .true : .false, length: 0, value: 0)
    case (.timestamp, .timestamp): try read(value, as: MappingPlan.TypeCode(kind: .timestamp), field, row)
    default: try read(value, as: type, field, row)
    }
  }

  /// Converts the value to JSON and decodes this JSON by the field's type.
  private func read(
    _ value: ExpressionValue, as type: MappingPlan.TypeCode, _ field: Int, _ row: UnsafeMutablePointer<Cell>
  ) throws(RecordError) {
    let mapping = plan.objects[0].mappings[field]
    computed.json.removeAll()
    computed.json.append(json: value.json)
    nestedPath.removeAll()
    nestedField = -1
    var reason = ""
    let cell: Cell
    do throws(JSONError) {
      let target = Target(row: row, text: batch.text, firstField: 0, level: 0)
      cell = try decodeElsewhere(type, computed.json, by: computed.indexer, target) {
        reason = RejectionText.mismatch($0, of: mapping, tokens)
      }.cell
    } catch {
      reason = error.message
      cell = .mismatch(.required, at: 0)
    }
    row[field] = cell
    guard cell.kind == .mismatch else { return }
    throw RecordError(
      "the computed value of '\(mapping.name)' does not match: \(reason)",
      pointer: RejectionText.pointer([.name(mapping.name)] + nestedPath.reversed()), rule: RejectionText.rule(cell))
  }
}
