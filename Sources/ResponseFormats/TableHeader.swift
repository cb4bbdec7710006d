internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

/// The requirements on the header of a table: it has a name for each column, and the schema uses at least one of them.
struct TableHeader {
  private let format: ResponseFormat
  /// The header must have at least one of these names; empty for any header.
  private let wanted: Set<String>

  init(_ format: ResponseFormat, wanted: Set<String>) {
    self.format = format
    self.wanted = wanted
  }

  /// The names of the columns in the header; nil if the flow declares the names.
  func columns(of header: [String]) throws(ReactorError) -> [String]? {
    if let columns = format.columns {
      guard columns.count == header.count else {
        throw Self.error("the header has \(Self.fields(header.count)), and 'columns' names \(columns.count)")
      }
      return nil
    }
    var seen: [String: Int] = [:]
    for (index, name) in header.enumerated() {
      guard !name.isEmpty else { throw Self.error("column \(index + 1) of the header has no name") }
      guard let first = seen.updateValue(index, forKey: name) else { continue }
      throw Self.error("the header has the name \(Self.quoted(name)) twice, in columns \(first + 1) and \(index + 1)")
    }
    try checkWanted(header)
    return header
  }

  /// Checks that the table has a column of the schema. Without one, its records would have no values at all.
  private func checkWanted(_ header: [String]) throws(ReactorError) {
    guard !wanted.isEmpty, wanted.isDisjoint(with: header) else { return }
    let written = header.prefix(20).joined(separator: String(Unicode.Scalar(format.delimiter)))
    var error = ReactorError.parser("no column of the table is in the schema: the header is \(Self.quoted(written))")
    let other = ";\t|,".unicodeScalars.first { header.count == 1 && header[0].unicodeScalars.contains($0) }
    error.help =
      other.map { "write 'delimiter: \"\($0 == "\t" ? "\\t" : String($0))\"' in the flow's 'decode'" }
      ?? "compare the names of the columns with the fields of the schema"
    error.key = "decode"
    throw error
  }

  static func error(_ message: String) -> ReactorError {
    var error = ReactorError.parser(message)
    error.help = "name the columns yourself: add 'columns: [id, name]' to the flow's 'decode'"
    error.key = "decode"
    return error
  }

  static func fields(_ count: Int) -> String { count == 1 ? "1 field" : "\(count) fields" }

  private static func quoted(_ name: String) -> String {
    Array(name.utf8).withUnsafeBufferPointer { TextExcerpt.quoted($0, from: 0) }
  }
}
