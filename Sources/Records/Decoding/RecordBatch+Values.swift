public import JSONSyntax

extension RecordBatch {
  /// A record as a JSON object. Where records are persisted whole, without a mapping, its value in the response.
  ///
  /// Allocates memory, so it is not for the hot path.
  public func record(_ row: Int) -> JSONValue { value(of: cells + row * width) }

  /// One value of a record.
  func value(_ row: Int, _ field: Int) -> JSONValue { value(cells[row * width + field]) }

  /// The record of a row, without the fields that have no value yet.
  func value(of row: UnsafePointer<Cell>) -> JSONValue {
    guard !plan.schema.keepsWholeRecords else { return value(row[0]) }
    var members: [JSONObject.Member] = []
    members.reserveCapacity(width)
    for (field, mapping) in plan.objects[0].mappings.enumerated() where row[field].kind != .absent {
      members.append(JSONObject.Member(name: mapping.name, value: value(row[field])))
    }
    return .object(JSONObject(members))
  }

  /// The value of a cell.
  func value(_ cell: Cell) -> JSONValue {
    switch cell.kind {
    case .absent, .null, .mismatch: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .integer: .integer(cell.value)
    case .windowText: .string(string(cell, at: window))
    case .ownText: .string(string(cell, at: text.base))
    case .windowNumber: .number(JSONNumber(validated: string(cell, at: window)))
    case .ownNumber: .number(JSONNumber(validated: string(cell, at: text.base)))
    case .json: json(cell, in: text.bytes)
    case .constant: json(cell, in: plan.constants)
    }
  }

  private func string(_ cell: Cell, at memory: UnsafePointer<UInt8>) -> String {
    String(decoding: UnsafeBufferPointer(start: memory + Int(cell.value), count: Int(cell.length)), as: UTF8.self)
  }

  private func json(_ cell: Cell, in memory: UnsafeBufferPointer<UInt8>) -> JSONValue {
    // The decoder writes valid JSON, so parsing cannot fail.
    (try? JSONValue(parsing: Array(memory[Int(cell.value)..<Int(cell.value) + Int(cell.length)]))) ?? .null
  }
}
