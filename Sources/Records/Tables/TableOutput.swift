internal import JSONSyntax
public import ReactorCore

/// Writes batches as rows of a table; the owner empties the buffer in pieces of about 256 KiB.
///
/// One task owns an output at a time.
public final class TableOutput: RecordEncoder {
  private static let pieceBytes = 256 << 10
  private let layout: TableLayout
  private let out = ByteBuffer(capacity: 4096)

  /// Creates an output for rows of a layout, whose columns are the fields of the batches.
  public init(_ layout: TableLayout) { self.layout = layout }

  /// Writes all records of a batch. A batch of deleted keys is written only in a layout that marks deletions.
  ///
  /// - Throws: a parser error that names the column and the record when the column cannot store a value
  public func append(_ batch: RecordBatch) throws(ReactorError) {
    if batch.isDeletion { return try appendDeletions(batch) }
    let cells = TableCellWriter(batch, out, allowsNUL: layout.allowsNUL)
    for row in 0..<batch.count {
      beginRow(isDeletion: false)
      let first = batch.cells + row * batch.width
      for (field, column) in layout.columns.enumerated() {
        guard let problem = cells.append(first[field], as: column.encoding) else { continue }
        throw error(problem, column, batch, row)
      }
    }
  }

  private func appendDeletions(_ batch: RecordBatch) throws(ReactorError) {
    guard layout.marksDeletions else { return }
    // A batch of deleted keys has its own plan, which contains only the key.
    let names = batch.fieldNames
    let cells = TableCellWriter(batch, out, allowsNUL: layout.allowsNUL)
    for row in 0..<batch.count {
      beginRow(isDeletion: true)
      let first = batch.cells + row * batch.width
      for column in layout.columns {
        let cell = names.firstIndex(of: column.name).map { first[$0] } ?? .null
        guard let problem = cells.append(cell, as: column.encoding) else { continue }
        throw error(problem, column, batch, row)
      }
    }
  }

  @inline(__always)
  private func beginRow(isDeletion: Bool) {
    out.append(bigEndian: Int16(truncatingIfNeeded: layout.width))
    guard layout.marksDeletions else { return }
    out.append(bigEndian: Int32(1))
    out.append(isDeletion ? 1 : 0)
  }

  private func error(
    _ problem: TableValueProblem, _ column: TableColumn, _ batch: RecordBatch, _ row: Int
  ) -> ReactorError {
    let record = batch.record(row)
    let key = layout.key.compactMap { name in record[name].map { "\(name) \($0.plainText)" } }
      .joined(separator: ", ")
    let name = key.isEmpty ? "" : " in the record with \(key)"
    var error = ReactorError(
      .parser, "the column '\(column.name)' cannot store a value\(name): \(problem.words)",
      pointer: JSONPointer(tokens: [column.name]).description)
    error.help = problem.help(column)
    return error
  }

  /// Removes and returns the written bytes when they are at least one piece (256 KiB); otherwise nil. The bytes end
  /// with a complete row.
  public func takePiece() -> [UInt8]? {
    guard out.count >= Self.pieceBytes else { return nil }
    return finish()
  }

  /// The remaining bytes.
  public func finish() -> [UInt8] {
    defer { out.removeAll() }
    return out.copy()
  }
}

/// Writes batches of records as bytes; the owner empties its buffer in pieces.
public protocol RecordEncoder: AnyObject {
  /// Writes all records of a batch.
  func append(_ batch: RecordBatch) throws(ReactorError)
  /// Removes and returns the written bytes when there are enough for a piece; otherwise nil.
  func takePiece() -> [UInt8]?
  /// The remaining bytes.
  func finish() -> [UInt8]
}

extension RecordOutput: RecordEncoder {}
