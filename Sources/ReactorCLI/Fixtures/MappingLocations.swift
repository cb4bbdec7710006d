internal import FieldTypes
internal import FlowSpec
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics

/// Finds the source location in a flow's files that declares a value.
struct MappingLocations: Sendable {
  private let declaration: FlowDeclaration

  init(_ declaration: FlowDeclaration) { self.declaration = declaration }

  /// A source location for reports.
  struct Location: Sendable, Hashable {
    var file: String
    var line: Int
  }

  /// The location of the flow's declaration.
  var flow: Location { location(declaration.range) }

  /// The location of a field's mapping. The steps lead to the field within a record.
  ///
  /// When the flow has no schema, this is the location of its `records`.
  func field(_ steps: [JSONPath.Step]) -> Location {
    guard let schema = declaration.schema else { return records }
    var fields = schema.fields
    var found = location(schema.range)
    for step in steps {
      guard case .name(let name) = step else { continue }
      guard let field = fields.first(where: { $0.name == name }) else { break }
      found = location(field.range)
      fields = Self.fields(of: field.type)
    }
    return found
  }

  /// The location of the declaration of the records.
  var records: Location { declaration.pull.records.map { location($0.range) } ?? flow }

  /// The location of the declaration that causes a decision. The decision is named by its path in `flow.json`.
  func decision(_ steps: [JSONPath.Step], expected: JSONValue?, actual: JSONValue?) -> Location {
    guard case .name(let name)? = steps.first else { return flow }
    switch name {
    case "requests":
      let (old, new) = (expected?.string ?? "", actual?.string ?? "")
      if let location = parameter(in: "\(old) \(new)") { return location }
      // The request is the same and only its response differs, so the location of the request is returned.
      func requested(_ text: String) -> [Substring] { Array(text.split(separator: " ").prefix(2)) }
      return (requested(old) == requested(new) ? nil : key("pages")) ?? location(declaration.pull.request.path.range)
    case "pages": return key("pages") ?? location(declaration.pull.request.path.range)
    case "waits_ms": return key("retry") ?? key("backoff") ?? key("rate") ?? flow
    case "cursor": return key("cursor") ?? flow
    case "rejected": return key("prune") ?? declaration.schema.map { location($0.range) } ?? flow
    case "rejections":
      let lists = [actual, expected].compactMap { $0 }.map { $0.array?.first ?? $0 }
      let pointer = lists.compactMap { $0["pointer"]?.string ?? $0.string }.first { $0.hasPrefix("/") }
      return pointer.map(pointed) ?? key("prune") ?? declaration.schema.map { location($0.range) } ?? flow
    case "key": return declaration.schema.map { key("key") ?? location($0.range) } ?? flow
    case "fields":
      let field = (actual ?? expected)?.string.map { $0.prefix { $0 != ":" } }
      return self.field(field.map { [.name(String($0))] } ?? [])
    case "records", "order": return records
    case "status", "error": return key("status") ?? flow
    default: return flow
    }
  }

  /// The location of a request's declaration; `parameters` are the query parameters that differ.
  func request(differing parameters: [String]) -> Location {
    named(Set(parameters)) ?? location(declaration.pull.request.path.range)
  }

  /// The location of the field that reads the value at a JSON pointer in a record of the response.
  func pointed(_ pointer: String) -> Location {
    let names = pointer.split(separator: "/").map(String.init)
    let field = declaration.schema?.fields.first { field in
      let steps = field.from.value.singularSteps ?? []
      return !steps.isEmpty
        && zip(steps, names).allSatisfy { step, name in
          if case .name(let own) = step { own == name } else { true }
        }
    }
    return field.map { location($0.range) } ?? declaration.schema.map { location($0.range) } ?? flow
  }

  /// The location of a query parameter that differs between two requests.
  private func parameter(in text: String) -> Location? {
    let requests = text.split(separator: " ").filter { $0.contains("?") }
    let sets = requests.map { Set($0.split(separator: "?").last?.split(separator: "&").map(String.init) ?? []) }
    let differing = sets.count == 2 ? sets[0].symmetricDifference(sets[1]) : sets.first ?? []
    return named(Set(differing.map { String($0.prefix { $0 != "=" }) }))
  }

  /// The location of the query parameter that has one of these names.
  private func named(_ names: Set<String>) -> Location? {
    if let query = declaration.pull.request.query.first(where: { names.contains($0.name.value) }) {
      return location(query.name.range)
    }
    if let cursor = declaration.pull.cursor,
      [cursor.query, cursor.endQuery].contains(where: { $0.map(names.contains) ?? false })
    {
      return key("cursor") ?? location(cursor.range)
    }
    if case .query(let name)? = declaration.pull.pages?.location, names.contains(name) { return key("pages") }
    return nil
  }

  /// The location of a key within the lines of the flow.
  private func key(_ name: String) -> Location? {
    let file = declaration.range.file
    let start = declaration.range.start.line
    func indent(_ line: ArraySlice<UInt8>) -> Int { line.prefix { $0 == 0x20 }.count }
    let own = indent(file.line(start))
    if Self.names(name, in: file.line(start)) { return Location(file: file.path, line: start) }
    var number = start + 1
    while number <= file.lineCount {
      let line = file.line(number)
      let content = line.drop { $0 == 0x20 }
      if !content.isEmpty, content.first != UInt8(ascii: "#"), indent(line) <= own { return nil }
      if content.first != UInt8(ascii: "#"), Self.names(name, in: content) {
        return Location(file: file.path, line: number)
      }
      number += 1
    }
    return nil
  }

  private static func names(_ name: String, in line: ArraySlice<UInt8>) -> Bool {
    let key = Array("\(name):".utf8)
    guard let range = line.firstRange(of: key) else { return false }
    guard range.lowerBound > line.startIndex else { return true }
    return [0x20, UInt8(ascii: "{"), UInt8(ascii: ",")].contains(line[range.lowerBound - 1])
  }

  private static func fields(of type: TypeDeclaration) -> [FieldDeclaration] {
    switch type {
    case .object(let fields): fields
    case .list(let element): self.fields(of: element)
    default: []
    }
  }

  private func location(_ range: SourceRange) -> Location { Location(file: range.file.path, line: range.start.line) }
}
