public import JSONSyntax

/// Makes a model of a response's bytes, and JSON of a model.
///
/// Made for one model (`init(_:)`) or for an array (`Parser.array(of:prune:under:)`), whose elements are mapped while the
/// response arrives. The same parser reads what the network gives and what a persistence holds, so that both are judged
/// alike.
public struct Parser<Model: Sendable>: Sendable {
  /// The longest response that is read, in bytes: 32 MiB.
  public static var standardLimit: Int { 32 << 20 }

  /// The longest response that is read, in bytes.
  public var limit: Int
  private let begin: @Sendable () -> any ModelReading<Model>
  private let write: @Sendable (Model) throws(ReactorError) -> JSONValue

  /// A parser of one model; what does not fit fails, whatever the pruning.
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

  /// Reads a JSON text.
  ///
  /// - Throws: `.parser` when it is not JSON or does not fit, with the record's index and the pointer into it.
  public func parse(_ bytes: [UInt8]) throws(ReactorError) -> Parsed<Model> {
    let reading = begin()
    try reading.append(bytes)
    let (model, report) = try reading.finish()
    return Parsed(model, report: report, bytes: bytes.count)
  }

  /// The model as JSON.
  ///
  /// - Throws: `.persistence` when its mapping gives none, with the record's index.
  public func json(of model: Model) throws(ReactorError) -> JSONValue { try write(model) }

  /// The model as a compact JSON text, members in the mapping's order.
  public func encode(_ model: Model) throws(ReactorError) -> [UInt8] { JSONWriter.bytes(try write(model)) }

  /// Reads the rest of a response, at most `limit` bytes, and maps it on the way.
  public func parse(
    _ response: Response, instruments: FlowInstruments = FlowInstruments()
  ) async throws(ReactorError) -> Parsed<Model> {
    let start = instruments.start(.parse)
    do throws(ReactorError) {
      var parsed = try await read(response.body)
      parsed.timings = response.timings
      parsed.timings.parse = instruments.finish(.parse, since: start)
      parsed.status = response.status
      if parsed.report.rejected > 0 { instruments.observer(.pruned(parsed.report)) }
      return parsed
    } catch {
      var error = error.unlessCancelled
      if error.kind == .parser { error.status = response.status }
      instruments.observer(.failed(.parse, error))
      throw error
    }
  }

  @concurrent private func read(_ body: ResponseBody) async throws(ReactorError) -> Parsed<Model> {
    let reading = begin()
    var bytes = 0
    do throws(ReactorError) {
      while let chunk = try await body.next() {
        bytes += chunk.count
        guard bytes <= limit else { throw .server("the response is larger than \(limit) bytes") }
        try reading.append(chunk)
      }
      let (model, report) = try reading.finish()
      return Parsed(model, report: report, bytes: bytes)
    } catch {
      body.cancel()
      throw error
    }
  }
}

/// One reading of one response; one task uses it.
protocol ModelReading<Model> {
  associatedtype Model: Sendable

  /// Takes the next bytes.
  func append(_ bytes: [UInt8]) throws(ReactorError)
  /// Makes the model; the response has ended.
  func finish() throws(ReactorError) -> (Model, PruneReport)
}

/// A model that is the whole response.
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
