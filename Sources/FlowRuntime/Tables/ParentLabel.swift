internal import FieldTypes
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Adds to each row of a table the identity of its parent. So the rows of one parent can be replaced without those of
/// others.
struct ParentLabel: RecordSink {
  /// The column with the identity of a row's parent.
  static let column = TableColumn(name: "reactor_parent", type: .string, encoding: .text)

  private let sink: any RecordSink
  private let value: [UInt8]

  /// Creates a sink for the rows of one parent.
  ///
  /// - Parameter identity: identifies the parent; nil for one that no later run recognizes
  init(_ sink: any RecordSink, _ identity: String?) {
    self.sink = sink
    let text = Array((identity ?? "").utf8)
    value = TableRowReader.length(of: identity == nil ? nil : text.count) + text
  }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    guard !part.bytes.isEmpty else { return try await sink.write(part) }
    try await sink.write(RecordChunk(TableRowReader.rows(part.bytes, adding: value), lines: part.lines))
  }
}
