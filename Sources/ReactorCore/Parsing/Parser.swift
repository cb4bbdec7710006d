public import JSONSyntax

/// Builds a model from the bytes of a response, and JSON from a model.
///
/// A parser is for one model (`init(_:)`) or for an array (`Parser.array(of:prune:under:)`). The elements of an array
/// are mapped while the response arrives. The same parser reads network responses and persisted results, so the same
/// rules apply to both.
///
/// Elements are read from bytes only by a parser, for compiled models and for the records of declared flows: `elements`
/// creates a scanner with a mapping, and `feed` passes a body to it.
public struct Parser<Model: Sendable>: Sendable {
  /// The default maximum length of a response, in bytes: 32 MiB.
  public static var standardLimit: Int { 32 << 20 }

  /// The maximum length of a response, in bytes.
  public var limit: Int
  private let begin: @Sendable () -> any ModelReading<Model>
  private let write: @Sendable (Model) throws(ReactorError) -> JSONValue

  /// Creates a parser of one model; a response that does not match is an error, whether or not the flow prunes.
  public init(_ mapping: ModelMapping<Model>, limit: Int = Parser.standardLimit) {
    self.init(
      limit: limit, begin: { WholeModel(mapping) },
      write: { (model) throws(ReactorError) -> JSONValue in
        guard let json = mapping.encode(model) else { throw .persistence("the model has no JSON form to persist") }
        return json
      })
  }

  init(
    limit: Int, begin: @escaping @Sendable () -> any ModelReading<Model>,
    write: @escaping @Sendable (Model) throws(ReactorError) -> JSONValue
  ) {
    self.limit = limit
    self.begin = begin
    self.write = write
  }

  /// Reads a JSON text into its model, with the counts of kept and rejected records.
  ///
  /// - Throws: `.parser` when the text is not JSON or does not match, with the index of the record and the pointer into
  ///   it.
  public func parse(_ bytes: [UInt8]) throws(ReactorError) -> (model: Model, report: PruneReport) {
    let reading = begin()
    try reading.append(bytes)
    return try reading.finish()
  }

  /// Returns the model as JSON.
  ///
  /// - Throws: `.persistence` when the mapping returns no JSON, with the index of the record.
  public func json(of model: Model) throws(ReactorError) -> JSONValue { try write(model) }

  /// Returns the model as a compact JSON text; the members are in the order of the mapping.
  public func encode(_ model: Model) throws(ReactorError) -> [UInt8] { JSONWriter.bytes(try write(model)) }

  /// Reads the body of a response, at most `limit` bytes, and maps it while it arrives.
  public func parse(
    _ response: Response, instruments: FlowInstruments = FlowInstruments()
  ) async throws(ReactorError) -> Fetched<Model> {
    let start = instruments.start(.parse)
    do throws(ReactorError) {
      var fetched = try await read(response.body)
      fetched.timings = response.timings
      fetched.timings.parse = instruments.finish(.parse, since: start)
      fetched.status = response.status
      if fetched.report.rejected > 0 { instruments.observer(.pruned(fetched.report)) }
      return fetched
    } catch {
      var error = error.unlessCancelled
      if error.kind == .parser { error.status = response.status }
      instruments.observer(.failed(.parse, error))
      throw error
    }
  }

  @concurrent private func read(_ body: ResponseBody) async throws(ReactorError) -> Fetched<Model> {
    let reading = begin()
    let bytes = try await Self.feed(body, upTo: limit) { (chunk) throws(ReactorError) in try reading.append(chunk) }
    let (model, report) = try reading.finish()
    return Fetched(model, FetchSummary(report: report, bytes: bytes))
  }
}

extension Parser {
  /// Creates a scanner for the elements of a text: bytes go into the scanner, and the reader keeps the elements that
  /// match.
  ///
  /// - Parameters:
  ///   - reader: a mapping's reader of tokens
  ///   - selection: where the elements are
  ///   - isStrict: whether the first element that does not match is an error; otherwise it is left out and reported
  ///   - demands: what is needed besides the elements
  ///   - limits: bounds on memory
  package static func elements<Element: Sendable>(
    by reader: any ElementReader<Element>, at selection: RecordSelection, isStrict: Bool,
    demands: ElementScanner.Demands = ElementScanner.Demands(), limits: RecordLimits = RecordLimits()
  ) -> ElementScanner where Model == [Element] {
    ElementScanner(reader, at: selection, isStrict: isStrict, demands: demands, limits: limits)
  }

  /// Passes the chunks of a body to `append` while they arrive. After an error the body is cancelled.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes
  ///   - append: called with each chunk
  ///   - pause: called after each `append`; it may wait, for example for a disk
  /// - Returns: the number of bytes
  package static func feed(
    _ body: ResponseBody, upTo limit: Int = .max, _ append: ([UInt8]) throws(ReactorError) -> Void,
    pause: () async throws(ReactorError) -> Void = {}
  ) async throws(ReactorError) -> Int {
    var count = 0
    do throws(ReactorError) {
      while let chunk = try await body.next() {
        count += chunk.count
        guard count <= limit else { throw .server("the response is larger than \(limit) bytes") }
        try append(chunk)
        try await pause()
      }
      return count
    } catch {
      body.cancel()
      throw error
    }
  }
}

/// The state while one response is read; only one task uses it.
protocol ModelReading<Model> {
  associatedtype Model: Sendable

  /// Takes the next bytes.
  func append(_ bytes: [UInt8]) throws(ReactorError)
  /// Returns the model after the end of the response.
  func finish() throws(ReactorError) -> (Model, PruneReport)
}

/// Reads a model from the whole response.
private final class WholeModel<Model: Sendable>: ModelReading {
  private let mapping: ModelMapping<Model>
  private var text: [UInt8] = []

  init(_ mapping: ModelMapping<Model>) { self.mapping = mapping }

  func append(_ bytes: [UInt8]) throws(ReactorError) { text += bytes }

  func finish() throws(ReactorError) -> (Model, PruneReport) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: text)
    } catch {
      throw .notJSON(error, text)
    }
    do throws(MappedError) {
      return (try mapping.decode(json), PruneReport(kept: 1))
    } catch {
      throw ReactorError(mapping: error)
    }
  }
}
