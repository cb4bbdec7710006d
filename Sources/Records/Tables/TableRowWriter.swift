internal import JSONSyntax

/// Writes JSON objects as rows of a layout whose columns have the encodings `text`, `integer` or `json`.
///
/// A member that is missing, or that its column cannot store, is written as null. If the layout does not allow U+0000
/// in a text, U+FFFD is written instead.
public final class TableRowWriter: Sendable {
  private let layout: TableLayout

  /// Creates a writer for a layout without marks of deletions.
  public init(_ layout: TableLayout) { self.layout = layout }

  /// The rows of JSON Lines. A line that is not an object is left out.
  public func rows(of lines: [UInt8]) -> [UInt8] {
    let out = ByteBuffer(capacity: lines.count + 256)
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      guard let object = try? JSONValue(parsing: Array(line)), case .object = object else { continue }
      append(object, to: out)
    }
    return out.copy()
  }

  private func append(_ object: JSONValue, to out: ByteBuffer) {
    out.append(bigEndian: Int16(truncatingIfNeeded: layout.width))
    for column in layout.columns { append(object[column.name], as: column.encoding, to: out) }
  }

  private func append(_ value: JSONValue?, as encoding: TableColumn.Encoding, to out: ByteBuffer) {
    switch (value, encoding) {
    case (let value?, .json): append(JSONWriter.bytes(value), to: out)
    case (.string(let text)?, .text):
      let plain =
        layout.allowsNUL
        ? text
        : text.split(separator: "\0", omittingEmptySubsequences: false)
          .joined(separator: "\u{FFFD}")
      append(Array(plain.utf8), to: out)
    case (let value?, .integer) where value.int64 != nil:
      out.append(bigEndian: Int32(8))
      out.append(bigEndian: value.int64 ?? 0)
    default: out.append(bigEndian: Int32(-1))
    }
  }

  private func append(_ bytes: [UInt8], to out: ByteBuffer) {
    out.append(bigEndian: Int32(truncatingIfNeeded: bytes.count))
    out.append(bytes)
  }
}
