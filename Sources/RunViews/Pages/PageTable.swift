/// A table of a page. On narrow screens each row is a block with its cells below each other.
package struct PageTable {
  /// A column.
  package struct Column {
    let name: String
    let isNumber: Bool

    /// Creates a column; the name is plain text.
    package init(_ name: String, isNumber: Bool = false) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  private let columns: [Column]
  private var text: String

  /// Creates a table without rows.
  ///
  /// - Parameters:
  ///   - caption: what the table has, as plain text
  ///   - columns: the columns; the cells of the first one are the headings of their rows
  package init(_ caption: String, _ columns: [Column]) {
    self.columns = columns
    text = "<table class=\"flows\">\n<caption>\(Markup.text(caption))</caption>\n<thead><tr>"
    for column in columns {
      text += "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" : "")>\(Markup.text(column.name))</th>"
    }
    text += "</tr></thead>\n<tbody>\n"
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - kind: the class of the row
  ///   - cells: the elements of each cell, and whether it needs the reader's attention
  package mutating func add(_ kind: String, _ cells: [(html: String, isOdd: Bool)]) {
    text += "<tr class=\"\(kind)\">"
    for (column, cell) in zip(columns, cells) {
      if column.name == columns[0].name {
        text += "<th scope=\"row\">\(cell.html)</th>"
      } else {
        let kinds = [column.isNumber ? "n" : nil, cell.isOdd ? "warn" : nil].compactMap { $0 }.joined(separator: " ")
        text +=
          "<td\(kinds.isEmpty ? "" : " class=\"\(kinds)\"") data-l=\"\(Markup.text(column.name))\">\(cell.html)</td>"
      }
    }
    text += "</tr>\n"
  }

  /// Adds a row of which no cell needs more attention than the others.
  package mutating func add(_ kind: String, _ cells: [String]) { add(kind, cells.map { ($0, false) }) }

  /// The elements of the table.
  package var html: String { text + "</tbody>\n</table>\n" }
}
