internal import JSONSyntax

/// Writes batches in a format, appending to a buffer that its owner empties.
final class RecordWriter {
  let format: RecordFormat
  private let plan: MappingPlan
  @exclusivity(unchecked) private(set) var isFirst = true

  /// Creates a writer for a format.
  ///
  /// - Parameter follows: whether other records precede these records, so that a separator is written first.
  init(_ plan: MappingPlan, format: RecordFormat, follows: Bool = false) {
    self.plan = plan
    self.format = format
    isFirst = !follows
  }

  /// Writes the bytes before the first record.
  func begin(_ out: ByteBuffer) {
    switch format {
    case .json: out.append("[")
    case .jsonLines: break
    case .csv:
      for (field, mapping) in plan.objects[0].mappings.enumerated() {
        if field > 0 { out.append(UInt8(ascii: ",")) }
        Array(mapping.name.utf8).withUnsafeBufferPointer { CSVText.append($0, to: out) }
      }
      out.append("\r\n")
    }
  }

  /// Writes the bytes after the last record.
  func end(_ out: ByteBuffer) {
    if format == .json { out.append(isFirst ? "]\n" : "\n]\n") }
  }

  /// Appends all records of a batch.
  func append(_ batch: RecordBatch, to out: ByteBuffer) {
    let writer = CellWriter(batch: batch)
    for row in 0..<batch.count {
      beginRecord(out)
      appendBody(batch, row, writer, to: out)
      endRecord(out)
    }
  }

  /// Writes the bytes before a record.
  func beginRecord(_ out: ByteBuffer) {
    if format == .json { out.append(isFirst ? "\n" : ",\n") }
    isFirst = false
  }

  /// Writes the bytes after a record.
  func endRecord(_ out: ByteBuffer) {
    switch format {
    case .json: break
    case .jsonLines: out.append(UInt8(ascii: "\n"))
    case .csv: out.append("\r\n")
    }
  }

  /// Appends one record without the bytes before and after it.
  func appendBody(_ batch: RecordBatch, _ row: Int, to out: ByteBuffer) {
    appendBody(batch, row, CellWriter(batch: batch), to: out)
  }

  @inline(__always)
  private func appendBody(_ batch: RecordBatch, _ row: Int, _ writer: CellWriter, to out: ByteBuffer) {
    let cells = batch.cells + row * batch.width
    guard format == .csv else { return appendObject(cells, width: batch.width, writer, to: out) }
    for field in 0..<batch.width {
      if field > 0 { out.append(UInt8(ascii: ",")) }
      CSVText.append(cells[field], writer, to: out)
    }
  }

  @inline(__always)
  private func appendObject(_ cells: UnsafePointer<Cell>, width: Int, _ writer: CellWriter, to out: ByteBuffer) {
    guard !plan.schema.keepsWholeRecords, let base = plan.recordPrefixes.baseAddress else {
      return writer.append(cells[0], to: out)
    }
    var start = 0
    for field in 0..<width {
      let end = plan.recordPrefixEnds[field]
      out.reserve(end &- start)
      out.appendPadded(base + start, end &- start)
      writer.append(cells[field], to: out)
      start = end
    }
    out.append(width == 0 ? "{}" : "}")
  }
}

/// Writes fields of RFC 4180.
enum CSVText {
  /// Appends a text, quoted if RFC 4180 requires quotes. An empty text is also quoted, so that it differs from null.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to out: ByteBuffer) {
    let needsQuotes =
      text.isEmpty
      || text.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return out.append(text) }
    out.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { out.append(byte) }
      out.append(byte)
    }
    out.append(UInt8(ascii: "\""))
  }

  /// Appends a cell: null is an empty field, lists and objects are JSON text.
  static func append(_ cell: Cell, _ writer: CellWriter, to out: ByteBuffer) {
    switch cell.kind {
    case .null, .absent, .mismatch: break
    case .windowText:
      append(UnsafeBufferPointer(start: writer.window + Int(cell.value), count: Int(cell.length)), to: out)
    case .ownText, .json: append(writer.bytes(of: cell, in: writer.text.bytes), to: out)
    case .constant: appendConstant(writer.bytes(of: cell, in: writer.plan.constants), to: out)
    case .integer, .true, .false, .windowNumber, .ownNumber: writer.append(cell, to: out)
    }
  }

  /// Appends a default value, which is JSON; a string is written without its JSON quotes.
  private static func appendConstant(_ json: UnsafeBufferPointer<UInt8>, to out: ByteBuffer) {
    if let value = try? JSONValue(parsing: Array(json)), case .string(let text) = value {
      Array(text.utf8).withUnsafeBufferPointer { append($0, to: out) }
    } else {
      append(json, to: out)
    }
  }
}
