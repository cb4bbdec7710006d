public import JSONSyntax
public import ReactorCore

/// The records of a flow; at most a few hundred kilobytes are in memory.
///
/// This type is the model of every declared flow. A small set is held in memory as bytes in its persisted format; a
/// larger set is in a file. Its readers get the records that were fetched. Once another result has replaced these
/// records, a reader may throw `.persistence` (`… was replaced since …`); it never gets the other result.
public struct RecordSet: Sendable {
  /// The location of the bytes.
  public enum Content: Sendable {
    /// In memory.
    case memory([UInt8])
    /// In a file or a table.
    case file(any RecordFile)
    /// Received by a run, and not visible yet.
    case staged(any StagedRecords)
    /// Not persisted: the records were only read, checked and counted.
    case notKept
  }

  /// The compiled schema of the records.
  public let schema: RecordSchema
  /// The number of records.
  public let count: Int
  /// The format of the bytes.
  public let format: RecordFormat
  /// The bytes.
  public let content: Content
  /// When the records were fetched, in milliseconds since 1970; nil where that is not known.
  public private(set) var writtenAt: Int64?

  /// Creates a set of records whose bytes were written in a format by the schema.
  public init(schema: RecordSchema, count: Int, format: RecordFormat, content: Content) {
    self.schema = schema
    self.count = count
    self.format = format
    self.content = content
  }

  /// The same records with the time of their fetch, in milliseconds since 1970.
  public func written(at time: Int64) -> RecordSet {
    var set = self
    set.writtenAt = time
    return set
  }

  /// Reads the records in batches, checked by the schema as strictly as when they were written.
  ///
  /// - Parameter pause: called between batches; it may wait for a disk
  public func read(
    _ emit: (RecordBatch) throws(ReactorError) -> Void, pause: () async throws(ReactorError) -> Void = {}
  ) async throws(ReactorError) {
    let body = try await body()
    let plan = MappingPlan(schema.persisted)
    let selection: RecordSelection = format == .jsonLines ? .lines : .at([])
    _ = try await RecordReader(plan: plan, selection: selection, isStrict: true).read(body, emit: emit, pause: pause)
  }

  /// The bytes as JSON, from the start.
  func body() async throws(ReactorError) -> ResponseBody {
    let body: ResponseBody
    switch content {
    case .memory(let bytes): body = ResponseBody(bytes: bytes)
    case .file(let file): body = try await file.body()
    case .staged(let staged): return try await staged.read().body()
    case .notKept: throw .persistence("the records were not persisted, because the flow persists nothing")
    }
    return format == .csv ? ResponseBody(CSVSource(body, schema: schema)) : body
  }

  /// All records as JSON values: for tests and small sets.
  @concurrent public func values() async throws(ReactorError) -> [JSONValue] {
    var values: [JSONValue] = []
    try await read { (batch) throws(ReactorError) in
      for row in 0..<batch.count { values.append(batch.record(row)) }
    }
    return values
  }
}

/// A result of a run that is invisible until it is committed.
public protocol StagedRecords: Sendable {
  /// Replaces the earlier result with this one, and returns the committed result. After an error the earlier result is
  /// intact.
  func commit() async throws(ReactorError) -> RecordSet

  /// The committed result, for readers. Throws `.persistence` before the commit, unless the implementation commits it
  /// on this call.
  func read() async throws(ReactorError) -> RecordSet
}

extension StagedRecords {
  /// Throws, because the records are not saved yet.
  public func read() async throws(ReactorError) -> RecordSet { throw .persistence("the records are not saved yet") }
}

extension ReactorError {
  /// The error of records that another result has replaced.
  ///
  /// - Parameter target: the path or the table of both results
  package static func replacedSince(_ target: String) -> ReactorError {
    var error = ReactorError.persistence("\(target) was replaced since its records were fetched", path: target)
    error.help = "fetch again, or read the records before the next fetch"
    return error
  }
}

/// A file of records that can be read repeatedly.
public protocol RecordFile: Sendable {
  /// The content of the file, from the start.
  func body() async throws(ReactorError) -> ResponseBody
}
