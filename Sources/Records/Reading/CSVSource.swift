internal import FieldTypes
internal import JSONSyntax
internal import ReactorCore

/// Converts persisted CSV to JSON for the record reader, chunk by chunk.
///
/// Fields become strings, because every type can be read from a string. Lists, objects and `json` fields already
/// contain JSON text. An unquoted empty field is null.
actor CSVSource: ByteSource {
  private let body: ResponseBody
  private let columns: [(prefix: [UInt8], isJSON: Bool)]
  private var state = State()

  /// The position inside a row at the end of the last chunk.
  private struct State {
    var field: [UInt8] = []
    var column = 0
    var row = 0
    var isQuoted = false
    var wasQuoted = false
    var sawQuoteInQuotes = false
    var hasEnded = false
  }

  init(_ body: ResponseBody, schema: RecordSchema) {
    self.body = body
    columns = schema.fields.enumerated().map { position, field in
      let out = ByteBuffer(capacity: 32)
      out.append(position == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      out.append(quoted: field.name)
      out.append(UInt8(ascii: ":"))
      switch field.type.typeName {
      case .list, .object, .json: return (out.copy(), true)
      default: return (out.copy(), false)
      }
    }
  }

  nonisolated func cancel() { body.cancel() }

  func next() async throws(ReactorError) -> [UInt8]? {
    guard !state.hasEnded else { return nil }
    while true {
      let out = ByteBuffer(capacity: 4096)
      guard let chunk = try await body.next() else {
        state.hasEnded = true
        guard !state.isQuoted || state.sawQuoteInQuotes, state.column == 0, state.field.isEmpty else {
          throw ReactorError.parser("the CSV text ends inside a row")
        }
        out.append(state.row == 0 ? "[]" : state.row == 1 ? "[]" : "]")
        return out.copy()
      }
      for byte in chunk { try take(byte, out) }
      if out.count > 0 { return out.copy() }
    }
  }

  private func take(_ byte: UInt8, _ out: ByteBuffer) throws(ReactorError) {
    if state.isQuoted, !state.sawQuoteInQuotes {
      if byte == UInt8(ascii: "\"") { state.sawQuoteInQuotes = true } else { state.field.append(byte) }
      return
    }
    switch byte {
    case UInt8(ascii: "\""):
      if state.sawQuoteInQuotes {
        state.field.append(byte)
        state.sawQuoteInQuotes = false
      } else {
        guard state.field.isEmpty else {
          throw ReactorError.parser("row \(state.row + 1) of the CSV text has a quote inside an unquoted field")
        }
        state.isQuoted = true
        state.wasQuoted = true
      }
    case UInt8(ascii: ","):
      try endField(out)
    case 0x0D:
      break
    case 0x0A:
      try endField(out)
      guard state.column == columns.count else {
        throw ReactorError.parser(
          "row \(state.row + 1) of the CSV text has \(state.column) fields, not \(columns.count)")
      }
      if state.row > 0 { out.append(UInt8(ascii: "}")) }
      state.column = 0
      state.row += 1
    default:
      guard !state.sawQuoteInQuotes else {
        throw ReactorError.parser("text after a quoted CSV field in row \(state.row + 1)")
      }
      state.field.append(byte)
    }
  }

  private func endField(_ out: ByteBuffer) throws(ReactorError) {
    defer {
      state.field.removeAll(keepingCapacity: true)
      state.isQuoted = false
      state.wasQuoted = false
      state.sawQuoteInQuotes = false
      state.column += 1
    }
    guard state.column < columns.count else {
      throw ReactorError.parser("row \(state.row + 1) of the CSV text has more than \(columns.count) fields")
    }
    // The first row has the column names. The stamp of the file guarantees that they match this schema.
    guard state.row > 0 else { return }
    if state.column == 0 { out.append(state.row == 1 ? UInt8(ascii: "[") : UInt8(ascii: ",")) }
    let column = columns[state.column]
    out.append(column.prefix)
    if state.field.isEmpty, !state.wasQuoted {
      out.append("null")
    } else if column.isJSON {
      out.append(state.field)
    } else {
      state.field.withUnsafeBufferPointer { EscapedText.quote($0, into: out) }
    }
  }
}
