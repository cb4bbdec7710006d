internal import JSONSyntax
public import ReactorCore

/// The records of a set as rows of a table, encoded on demand. One task reads them at a time.
///
/// The memory use does not grow with the number of records.
public actor TableRows {
  private let set: RecordSet
  private let scanner: RecordScanner
  private let output: TableOutput
  private var body: ResponseBody?
  private var isOver = false

  /// Starts at the first record.
  ///
  /// - Parameters:
  ///   - set: records whose schema has the columns of the layout, in their order
  ///   - layout: the form of the rows
  public init(_ set: RecordSet, _ layout: TableLayout) {
    self.set = set
    output = TableOutput(layout)
    scanner = RecordScanner(
      plan: MappingPlan(set.schema.persisted), selection: set.format == .jsonLines ? .lines : .at([]), isStrict: true,
      limits: RecordLimits())
  }

  /// The next rows, about 256 KiB; nil after the last one.
  ///
  /// - Throws: `.parser` for a record that does not match the schema, or a value that its column cannot store
  public func next() async throws(ReactorError) -> [UInt8]? {
    let body = try await start()
    while !isOver {
      if let piece = output.takePiece() { return piece }
      if let chunk = try await body.next() {
        try scanner.append(chunk) { (batch) throws(ReactorError) in try output.append(batch) }
      } else {
        try scanner.finish { (batch) throws(ReactorError) in try output.append(batch) }
        isOver = true
      }
    }
    let rest = output.finish()
    return rest.isEmpty ? nil : rest
  }

  private func start() async throws(ReactorError) -> ResponseBody {
    if let body { return body }
    let new = try await set.body()
    body = new
    return new
  }
}
