internal import JSONSyntax

extension Parser {
  /// A parser of an array of models.
  ///
  /// - Parameter mapping: how one element is mapped.
  /// - Parameter prune: whether elements that do not fit are left out and reported; else the first one fails.
  /// - Parameter key: the member that holds the array; nil when the array is the whole text.
  public static func array<Element: Sendable>(
    of mapping: ModelMapping<Element>, prune: Bool = true, under key: String? = nil,
    limit: Int = Parser<[Element]>.standardLimit
  ) -> Parser<[Element]> where Model == [Element] {
    Parser<[Element]>(
      limit: limit,
      read: { (json) throws(ReactorError) -> ([Element], PruneReport) in
        let elements = try Parser<[Element]>.elements(of: json, under: key)
        return try prune ? prunedModels(elements, mapping) : strictModels(elements, mapping)
      },
      write: { (models) throws(ReactorError) -> JSONValue in
        var elements: [JSONValue] = []
        elements.reserveCapacity(models.count)
        for (index, model) in models.enumerated() {
          guard let element = mapping.encode(model) else {
            throw ReactorError(.persistence, "the model has no JSON form to be kept in", recordIndex: index)
          }
          elements.append(element)
        }
        guard let key else { return .array(elements) }
        return .object(JSONObject([JSONObject.Member(name: key, value: .array(elements))]))
      })
  }

  private static func elements(of json: JSONValue, under key: String?) throws(ReactorError) -> [JSONValue] {
    guard let key else {
      guard let elements = json.array else {
        throw .parser("the answer is not an array but \(json.kindName)")
      }
      return elements
    }
    guard let value = json[key] else {
      throw .parser("the answer has no member '\(key)' to take an array from")
    }
    guard let elements = value.array else {
      var error = ReactorError.parser("not an array but \(value.kindName)")
      error.pointer = MappedError("").inside(key).pointer
      throw error
    }
    return elements
  }
}

private func prunedModels<Element: Sendable>(
  _ elements: [JSONValue], _ mapping: ModelMapping<Element>
) throws(ReactorError) -> ([Element], PruneReport) {
  var models: [Element] = []
  models.reserveCapacity(elements.count)
  var report = PruneReport()
  for (index, element) in elements.enumerated() {
    if index % 256 == 0 { try ReactorError.checkCancellation() }
    do throws(MappedError) {
      models.append(try mapping.decode(element))
      report.keep()
    } catch {
      report.reject(at: index, because: error)
    }
  }
  return (models, report)
}

private func strictModels<Element: Sendable>(
  _ elements: [JSONValue], _ mapping: ModelMapping<Element>
) throws(ReactorError) -> ([Element], PruneReport) {
  var models: [Element] = []
  models.reserveCapacity(elements.count)
  for (index, element) in elements.enumerated() {
    if index % 256 == 0 { try ReactorError.checkCancellation() }
    do throws(MappedError) {
      models.append(try mapping.decode(element))
    } catch {
      throw ReactorError(mapping: error, recordIndex: index)
    }
  }
  return (models, PruneReport(kept: models.count))
}
