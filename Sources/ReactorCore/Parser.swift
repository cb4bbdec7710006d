public import JSONSyntax

/// Turns an answer's bytes into a model, and a model back into JSON.
///
/// Made for one model (`init(_:)`) or for an array (`Parser.array(of:prune:under:)`). The same parser reads what the
/// network gives and what persistence kept, so that both are judged alike.
public struct Parser<Model: Sendable>: Sendable {
  /// The longest answer that is read, in bytes: 32 MiB.
  public static var standardLimit: Int { 32 << 20 }

  /// The longest answer that is read, in bytes.
  public var limit: Int
  private let read: @Sendable (JSONValue) throws(ReactorError) -> (Model, PruneReport)
  private let write: @Sendable (Model) throws(ReactorError) -> JSONValue

  /// A parser of one model; what does not fit fails, whatever the pruning.
  public init(_ mapping: ModelMapping<Model>, limit: Int = Parser.standardLimit) {
    self.init(
      limit: limit,
      read: { (json) throws(ReactorError) -> (Model, PruneReport) in
        do throws(MappedError) {
          return (try mapping.decode(json), PruneReport(kept: 1))
        } catch {
          throw ReactorError(mapping: error)
        }
      },
      write: { (model) throws(ReactorError) -> JSONValue in
        guard let json = mapping.encode(model) else { throw .persistence("the model has no JSON form to be kept in") }
        return json
      })
  }

  init(
    limit: Int, read: @escaping @Sendable (JSONValue) throws(ReactorError) -> (Model, PruneReport),
    write: @escaping @Sendable (Model) throws(ReactorError) -> JSONValue
  ) {
    self.limit = limit
    self.read = read
    self.write = write
  }

  /// Reads a JSON text.
  ///
  /// - Throws: `.parser` when it is not JSON or does not fit, with the record's index and the pointer into it.
  public func parse(_ bytes: [UInt8]) throws(ReactorError) -> Parsed<Model> {
    let (model, report) = try self.model(from: try json(bytes))
    return Parsed(model, report: report, bytes: bytes.count)
  }

  /// Maps a value that was read already.
  public func model(from json: JSONValue) throws(ReactorError) -> (Model, PruneReport) { try read(json) }

  /// The model as JSON.
  ///
  /// - Throws: `.persistence` when its mapping gives none, with the record's index.
  public func json(of model: Model) throws(ReactorError) -> JSONValue { try write(model) }

  /// The model as a compact JSON text, members in the mapping's order.
  public func encode(_ model: Model) throws(ReactorError) -> [UInt8] { JSONWriter.bytes(try write(model)) }

  /// Reads the rest of an answer, at most `limit` bytes, and parses it.
  public func parse(
    _ response: Response, instruments: FlowInstruments = FlowInstruments()
  ) async throws(ReactorError) -> Parsed<Model> {
    let begin = instruments.stopwatch.reading()
    let bytes = try await response.body.collect(upTo: limit)
    var timings = response.timings
    timings.request = (timings.request ?? .zero) + (instruments.stopwatch.reading() - begin)
    let start = instruments.start(.parse)
    do throws(ReactorError) {
      var parsed = try parse(bytes)
      timings.parse = instruments.finish(.parse, since: start)
      parsed.status = response.status
      parsed.timings = timings
      if parsed.report.rejected > 0 { instruments.observer(.pruned(parsed.report)) }
      return parsed
    } catch {
      var error = error.unlessCancelled
      if error.kind == .parser { error.status = response.status }
      instruments.observer(.failed(.parse, error))
      throw error
    }
  }

  private func json(_ bytes: [UInt8]) throws(ReactorError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      let first = bytes.first { $0 > 0x20 }
      switch first {
      case nil: throw .parser("the text is empty")
      case UInt8(ascii: "<"): throw .parser("the text is HTML or XML, not JSON")
      default: throw .parser("the text is not JSON: \(error)")
      }
    }
  }
}
