internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

/// The first records of a flow as a table that fits on a terminal.
struct RecordTable {
  /// The maximum columns of a cell.
  private static let widest = 24

  /// The records as JSON, one text each.
  let records: [String]
  /// The columns of the terminal.
  let width: Int

  /// The lines of the table: a head, the records, and the names of the fields for which there is no room.
  func lines(_ style: TextStyle) -> [String] {
    let rows = records.compactMap { record -> JSONObject? in
      guard case .object(let object)? = try? JSONValue(parsing: record) else { return nil }
      return object
    }
    var names: [String] = []
    for member in rows.flatMap(\.members) where !names.contains(member.name) { names.append(member.name) }
    guard !names.isEmpty else {
      return records.map { DisplayWidth.cut(PrintableText.of($0, limit: 4000), to: max(width - 1, 1)) }
    }
    var columns: [(head: String, cells: [String], width: Int)] = []
    var room = width - 1
    for name in names {
      let head = PrintableText.of(name, limit: Self.widest)
      let cells = rows.map { Self.cell($0[name]) }
      let wanted = min(([head] + cells).map(DisplayWidth.of).max() ?? 0, Self.widest)
      // The first column is shown in any case.
      guard columns.isEmpty || wanted <= room else { break }
      columns.append((head, cells, min(wanted, max(room, 1))))
      room -= wanted + 2
    }
    func line(_ cells: [(String, Int)]) -> String {
      let text = cells.map { DisplayWidth.padded(DisplayWidth.cut($0.0, to: $0.1), to: $0.1) }.joined(separator: "  ")
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    var lines = [style.paint(line(columns.map { ($0.head, $0.width) }), .bold)]
    for index in rows.indices { lines.append(line(columns.map { ($0.cells[index], $0.width) })) }
    let left = names.dropFirst(columns.count).map { PrintableText.of($0, limit: Self.widest) }
    if !left.isEmpty {
      lines += TerminalLines.lines("and \(left.joined(separator: ", "))", width: width - 1, indent: 4).prefix(4)
        .map { style.paint($0, .faint) }
    }
    return lines
  }

  private static func cell(_ value: JSONValue?) -> String {
    switch value {
    case nil: ""
    case .string(let text): PrintableText.of(text, limit: widest + 1)
    case .some(let value): PrintableText.of(String(decoding: JSONWriter.bytes(value), as: UTF8.self), limit: widest + 1)
    }
  }
}
