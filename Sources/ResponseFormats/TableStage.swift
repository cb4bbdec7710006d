internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Converts a table (CSV, RFC 4180) to a JSON array of objects.
///
/// Each field is a text; an empty field without quotes is null. A row that has more or fewer fields than the table has
/// columns, or a quote at a wrong position, is rejected with its text. Empty lines are skipped.
final class TableStage: BodyStage {
  /// The position inside a row.
  private enum Position {
    /// At the first byte of a row.
    case row
    /// At the first byte of a field.
    case field
    case plain
    case quoted
    /// After a quote inside quotes: the end of the field, or the first of two quotes.
    case quote
    /// In a row that has an error: everything is skipped up to the end of the line.
    case damaged
  }

  private static var lineFeed: UInt8 { 0x0A }
  private static var carriageReturn: UInt8 { 0x0D }

  private let format: ResponseFormat
  private let delimiter: UInt8
  /// The quote character. If no field is quoted: a line feed, which ends a field anyway.
  private let quote: UInt8
  private let expected: TableHeader
  private var rows: RowOutput
  private var names = ColumnNames()
  private var needsHeader: Bool
  private var header: [String] = []

  private var position = Position.row
  private var hasInput = false
  /// The number of documents that have ended.
  private var documents = 0
  /// The bytes of a field that continues in the next chunk, or that has doubled quotes.
  private let field = ByteBuffer(capacity: 1024)
  private var isQuoted = false
  /// The JSON of the row so far.
  private let row = ByteBuffer(capacity: 4096)
  /// The part of the current row that was in earlier chunks.
  private let text = ByteBuffer(capacity: 1024)
  private var column = 0
  private var flaw: String?
  private var endsWithCarriageReturn = false
  private var line = 1
  /// The line in which the row begins.
  private var firstLine = 1
  /// The line of the quote that was opened last.
  private var quoteLine = 1

  init(_ format: ResponseFormat, _ wanted: Set<String>, _ flaws: RecordFlaws) {
    self.format = format
    expected = TableHeader(format, wanted: wanted)
    delimiter = format.delimiter
    quote = format.quote ?? Self.lineFeed
    needsHeader = format.hasHeader
    rows = RowOutput(flaws)
    if let columns = format.columns { names = ColumnNames(columns) }
  }

  // MARK: - Bytes

  func read(_ input: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) throws(ReactorError) -> Int {
    guard let base = input.baseAddress else { return 0 }
    hasInput = true
    var index = 0
    /// The start of the row in this chunk.
    var start = 0
    while index < input.count {
      if endsWithCarriageReturn {
        endsWithCarriageReturn = false
        if base[index] == Self.lineFeed {
          index += 1
          start = index
          continue
        }
      }
      switch position {
      case .row, .field: beginField(base[index], &index)
      case .plain: plain(base, &index, input.count)
      case .quoted: quoted(base, &index, input.count)
      case .quote: afterQuote(base[index], &index)
      case .damaged: skip(base, &index, input.count)
      }
      guard position == .row else { continue }
      if flaw == nil, column > 0, column < names.count { flaw = "" }
      if flaw != nil { text.append(base + start, index - start) }
      try endRow(into: out)
      start = index
      // Names can be much longer than the fields, so the output can be much larger than the input.
      if out.count >= StagedBody.pieceBytes { return index }
    }
    text.append(base + start, input.count - start)
    guard max(text.count, row.count, field.count) <= RecordLimits().heldBytes else {
      let limit = "the row is larger than \(RecordLimits().heldBytes >> 20) MiB"
      throw position == .quoted ? unclosedQuote(limit) : .parser("line \(firstLine): \(limit)")
    }
    return input.count
  }

  func finish(into out: ByteBuffer) throws(ReactorError) {
    // The end of the last member of an archive was checked already.
    if hasInput || documents == 0 { try endDocument(into: out) }
    rows.finish(out)
  }

  func endDocument(into out: ByteBuffer) throws(ReactorError) {
    documents += 1
    if position == .quoted { throw unclosedQuote("the response ends inside it") }
    if position != .row {
      if position == .field {
        field.removeAll()
        isQuoted = false
      }
      if position != .damaged { endField(field.bytes) }
      if flaw == nil, !needsHeader, column < names.count {
        throw .cut(
          "the response ends in the middle of line \(line): it has \(column) of \(names.count) fields and no line end"
        )
      }
      try endRow(into: out)
    }
    guard !needsHeader else {
      var error = ReactorError.parser("the response is empty where the names of the columns should be")
      error.help = "if the table has no header, write 'header: false' and 'columns' in the flow's 'decode'"
      error.key = "decode"
      throw error
    }
    position = .row
    endsWithCarriageReturn = false
    (line, firstLine) = (1, 1)
    needsHeader = format.hasHeader
    header = []
    hasInput = false
  }

  private func unclosedQuote(_ what: String) -> ReactorError {
    var error = ReactorError.parser("the quote in line \(quoteLine) is not closed: \(what)")
    error.help = "if quotes are ordinary characters in this response, write 'quote: none' in the flow's 'decode'"
    error.key = "decode"
    return error
  }

  // MARK: - Fields

  private func beginField(_ byte: UInt8, _ index: inout Int) {
    isQuoted = false
    field.removeAll()
    if byte == quote, format.quote != nil {
      index += 1
      isQuoted = true
      quoteLine = line
      position = .quoted
    } else if position == .row, byte == Self.lineFeed || byte == Self.carriageReturn {
      // An empty line: the row has no field.
      index += 1
      endLine(byte)
    } else {
      position = .plain
    }
  }

  private func plain(_ base: UnsafePointer<UInt8>, _ index: inout Int, _ end: Int) {
    let (delimiter, quote, start) = (delimiter, quote, index)
    while index < end {
      let byte = base[index]
      if byte == delimiter || byte == quote || byte == Self.lineFeed || byte == Self.carriageReturn { break }
      index &+= 1
    }
    let piece = UnsafeBufferPointer(start: base + start, count: index - start)
    guard index < end else { return field.append(piece) }
    let byte = base[index]
    if byte == quote, format.quote != nil {
      return damage("a quote is inside a field that does not begin with a quote")
    }
    index += 1
    if field.count == 0 {
      endField(piece)
    } else {
      field.append(piece)
      endField(field.bytes)
    }
    if byte == delimiter { position = .field } else { endLine(byte) }
  }

  private func quoted(_ base: UnsafePointer<UInt8>, _ index: inout Int, _ end: Int) {
    let (quote, start) = (quote, index)
    while index < end, base[index] != quote {
      if base[index] == Self.lineFeed { line += 1 }
      index &+= 1
    }
    field.append(base + start, index - start)
    guard index < end else { return }
    index += 1
    position = .quote
  }

  private func afterQuote(_ byte: UInt8, _ index: inout Int) {
    switch byte {
    case quote:
      field.append(byte)
      position = .quoted
    case delimiter:
      endField(field.bytes)
      position = .field
    case Self.lineFeed, Self.carriageReturn:
      endField(field.bytes)
      endLine(byte)
    default:
      return damage("text follows a field in quotes")
    }
    index += 1
  }

  private func skip(_ base: UnsafePointer<UInt8>, _ index: inout Int, _ end: Int) {
    while index < end, base[index] != Self.lineFeed, base[index] != Self.carriageReturn { index &+= 1 }
    guard index < end else { return }
    index += 1
    endLine(base[index - 1])
  }

  /// Rejects the row, because its fields can no longer be determined.
  private func damage(_ reason: String) {
    flaw = "line \(line): \(reason)"
    position = .damaged
  }

  private func endLine(_ byte: UInt8) {
    line += 1
    endsWithCarriageReturn = byte == Self.carriageReturn
    position = .row
  }

  private func endField(_ value: UnsafeBufferPointer<UInt8>) {
    defer { column += 1 }
    if needsHeader { return header.append(String(decoding: value, as: UTF8.self)) }
    guard column < names.count else {
      // The number of fields is counted, and their text is in the text of the row.
      flaw = ""
      return
    }
    names.append(column, to: row)
    if value.count == 0, !isQuoted { row.append("null") } else { EscapedText.quote(value, into: row) }
  }

  // MARK: - Rows

  private func endRow(into out: ByteBuffer) throws(ReactorError) {
    defer {
      row.removeAll()
      text.removeAll()
      field.removeAll()
      column = 0
      flaw = nil
      firstLine = line
    }
    if column == 0, flaw == nil { return }
    if needsHeader { return try endHeader() }
    guard let flaw else {
      rows.begin(out)
      out.append(row.bytes)
      return out.append(UInt8(ascii: "}"))
    }
    let reason =
      flaw.isEmpty
      ? "line \(firstLine) has \(TableHeader.fields(column)), and the table has \(names.count) columns" : flaw
    rows.reject(text.trimmed, because: reason, out)
  }

  private func endHeader() throws(ReactorError) {
    needsHeader = false
    if let flaw { throw TableHeader.error("the header cannot be read: \(flaw)") }
    if let columns = try expected.columns(of: header) { names = ColumnNames(columns) }
    header = []
  }
}

/// The start of each member of a row: `{"name":` for the first column, `,"name":` for the others.
///
/// The bytes of all columns are in one buffer, so that a field costs no reference count.
private final class ColumnNames {
  private let bytes = ByteBuffer(capacity: 256)
  private var ends: [Int] = []

  init(_ names: [String] = []) {
    for (index, name) in names.enumerated() {
      bytes.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      bytes.append(quoted: name)
      bytes.append(UInt8(ascii: ":"))
      ends.append(bytes.count)
    }
  }

  var count: Int { ends.count }

  func append(_ column: Int, to row: ByteBuffer) {
    let start = column == 0 ? 0 : ends[column - 1]
    row.append(bytes.base + start, ends[column] - start)
  }
}

extension ByteBuffer {
  /// The content without line ends at its end.
  fileprivate var trimmed: UnsafeBufferPointer<UInt8> {
    var end = count
    while end > 0, base[end - 1] == 0x0A || base[end - 1] == 0x0D { end -= 1 }
    return UnsafeBufferPointer(start: base, count: end)
  }
}
