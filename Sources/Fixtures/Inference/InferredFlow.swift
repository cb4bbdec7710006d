package import JSONSyntax
package import ReactorCore
internal import Records

/// The outline of a flow, inferred from a sample response.
package struct InferredFlow: Sendable, Hashable {
  /// The path of the records in the response.
  package var records: String
  /// Why `records` is probably the path of the records, for a comment in the draft.
  package var recordsGuess: String
  /// The name of the field that identifies a record.
  package var key: String?
  /// The fields in the order of the sample.
  package var fields: [InferredField]
  /// The signs of further pages in the sample.
  package var signs = DraftPages.Signs()
  /// The number of records in the sample.
  package var count: Int

  /// Infers an outline from the body and the headers of a response.
  ///
  /// - Parameter further: the bodies of further pages. Fields and the key are inferred from the records of all pages,
  ///   the path of the records and the signs of paging from the first one.
  package init(_ body: JSONValue, headers: Headers = Headers(), further: [JSONValue] = []) {
    let (path, first, guess) = Self.records(in: body)
    let location = try? JSONPath(parsing: path)
    let records = first + further.flatMap { (try? location?.found(in: $0)) ?? [] }
    self.records = path
    recordsGuess = guess
    count = records.count
    fields = Self.fields(of: records)
    key = Self.key(of: records, fields)
    signs.hint =
      NextPageHint(in: body, records: location?.elementSteps ?? location?.singularSteps, count: first.count)
      ?? NextPageHint(in: headers, count: first.count)
    signs.hasLink = headers.values("Link").contains { $0.contains("rel=\"next\"") || $0.contains("rel=next") }
    signs.count = first.count
    signs.isList = path != "$"
  }

  init(records: String, recordsGuess: String, key: String?, fields: [InferredField]) {
    self.records = records
    self.recordsGuess = recordsGuess
    self.key = key
    self.fields = fields
    count = 0
    signs.isList = records != "$"
  }

  // MARK: - Records

  /// Names of lists beside the records: objects that the records refer to (JSON:API), or data about the response.
  private static let companions: Set<String> = ["included", "errors", "warnings", "links", "facets"]

  /// Finds the list of objects with the most elements, at the top level or at the nearest level below it.
  ///
  /// A list named in `companions` is chosen only when its level has no other list.
  private static func records(in response: JSONValue) -> (path: String, records: [JSONValue], guess: String) {
    if let list = response.array { return ("$[*]", list, "the response is a list") }
    var level: [(steps: [JSONPath.Step], value: JSONValue)] = [([], response)]
    for _ in 0..<4 {
      let lists = level.compactMap { item -> (steps: [JSONPath.Step], list: [JSONValue])? in
        guard let list = item.value.array, list.contains(where: { $0.kindName == "object" }) else { return nil }
        return (item.steps, list)
      }
      func rank(_ item: (steps: [JSONPath.Step], list: [JSONValue])) -> (Int, Int) {
        guard case .name(let name)? = item.steps.last, companions.contains(name) else { return (1, item.list.count) }
        return (0, item.list.count)
      }
      if let best = lists.max(by: { rank($0) < rank($1) }) {
        let others = lists.count > 1 ? ", the likeliest of \(lists.count)" : ""
        return (
          JSONPath(singular: best.steps).text + "[*]", best.list,
          "the list of \(best.list.count) objects nearest to the top\(others)"
        )
      }
      level = level.flatMap { item -> [(steps: [JSONPath.Step], value: JSONValue)] in
        guard case .object(let object) = item.value else { return [] }
        return object.members.map { (item.steps + [.name($0.name)], $0.value) }
      }
    }
    return ("$", [response], "it has no list of objects: the whole response is one record")
  }

  // MARK: - Fields

  private static func fields(of records: [JSONValue]) -> [InferredField] {
    var fields = InferredFields()
    for record in records.prefix(1000) { fields.take(record) }
    return fields.fields
  }

  // MARK: - Key

  private static func key(of records: [JSONValue], _ fields: [InferredField]) -> String? {
    func isUnique(_ name: String) -> Bool {
      let values = records.prefix(1000).map { $0[name].map { JSONWriter.bytes($0) } }
      return !values.contains(nil) && Set(values.compactMap { $0 }).count == values.count
    }
    let scalars = fields.filter { !$0.isOptional && ["integer", "string", "uuid"].contains($0.type) }.map(\.name)
    for name in ["id", "uuid", "key", "code", "slug", "sku", "name"] where scalars.contains(name) && isUnique(name) {
      return name
    }
    return scalars.first { ($0.lowercased().hasSuffix("id") || $0.lowercased().hasSuffix("key")) && isUnique($0) }
  }
}
