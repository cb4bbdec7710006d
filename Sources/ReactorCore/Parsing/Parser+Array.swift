internal import JSONSyntax

extension Parser {
  /// Creates a parser of an array of models, which maps the elements while the response arrives.
  ///
  /// - Parameter mapping: the mapping of one element.
  /// - Parameter prune: whether elements that do not match are left out and reported; otherwise the first one is an
  ///   error.
  /// - Parameter key: the member that has the array; nil when the array is the whole response.
  public static func array<Element: Sendable>(
    of mapping: ModelMapping<Element>, prune: Bool = true, under key: String? = nil,
    limit: Int = Parser<[Element]>.standardLimit
  ) -> Parser<[Element]> where Model == [Element] {
    Parser<[Element]>(
      limit: limit, begin: { ModelArray(mapping, at: key.map { [.name($0)] } ?? [], isStrict: !prune) },
      write: { (models) throws(ReactorError) -> JSONValue in
        var elements: [JSONValue] = []
        elements.reserveCapacity(models.count)
        for (index, model) in models.enumerated() {
          guard let element = mapping.encode(model) else {
            throw ReactorError(.persistence, "the model has no JSON form to persist", recordIndex: index)
          }
          elements.append(element)
        }
        guard let key else { return .array(elements) }
        return .object(JSONObject([JSONObject.Member(name: key, value: .array(elements))]))
      })
  }
}

/// Reads an array of models and maps each element by itself.
private final class ModelArray<Element: Sendable>: ModelReading {
  private let reader: any ElementReader<Element>
  private let scanner: ElementScanner
  private var models: [Element] = []

  init(_ mapping: ModelMapping<Element>, at steps: [JSONPath.Step], isStrict: Bool) {
    reader = mapping.elements()
    scanner = Parser.elements(by: reader, at: .array(steps), isStrict: isStrict)
  }

  func append(_ bytes: [UInt8]) throws(ReactorError) {
    try scanner.append(bytes) { () throws(ReactorError) in try take() }
  }

  func finish() throws(ReactorError) -> ([Element], PruneReport) {
    try scanner.finish { () throws(ReactorError) in try take() }
    return (models, scanner.report)
  }

  private func take() throws(ReactorError) {
    try ReactorError.checkCancellation()
    models += reader.kept()
  }
}

/// Converts each element of a response to a JSON value and decodes this value.
final class ModelReader<Element: Sendable>: ElementReader {
  private var models: [Element] = []
  private let decode: @Sendable (JSONValue) throws(MappedError) -> Element
  private let scratch = ByteBuffer(capacity: 256)
  private var tokens = JSONTokens.none
  private var value = JSONValue.null

  init(_ decode: @escaping @Sendable (JSONValue) throws(MappedError) -> Element) { self.decode = decode }

  func begin(_ tokens: JSONTokens, firstIndex: Int) { self.tokens = tokens }

  func read(_ token: Int) throws(JSONError) -> Int {
    let (value, next) = try tokens.value(token, depth: 0, scratch: scratch)
    self.value = value
    return next
  }

  func judge(_ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError? {
    do throws(MappedError) {
      models.append(try decode(value))
      return nil
    } catch {
      return error
    }
  }

  func kept() -> [Element] {
    defer { models.removeAll() }
    return models
  }

  func failure(_ error: MappedError, at index: Int) -> ReactorError {
    ReactorError(mapping: error, recordIndex: index)
  }
}
