internal import JSONSyntax
internal import YAMLSyntax

extension OpenAPIReader {
  /// Returns the outline of a described response: the path of the records and their fields.
  func sample(_ response: JSONValue) -> InferredFlow? {
    guard let schema = content(response) else { return nil }
    if let items = schema["items"] { return records("$[*]", "the response is a list", items) }
    let members = properties(schema)
    // An object with its own identity is a record, even if it contains lists.
    let isRecord = members.contains { ["id", "uuid", "key"].contains($0.name) }
    let lists = isRecord ? [] : lists(members)
    if let (name, items) = lists.first {
      let others = lists.count > 1 ? ", the first of \(lists.count)" : ""
      return records(
        JSONPath(singular: [.name(name)]).text + "[*]", "the list of objects that the document describes\(others)",
        items)
    }
    return records("$", "the document describes one object", schema)
  }

  /// Returns the members that are lists of objects.
  func lists(_ members: [JSONObject.Member]) -> [(name: String, items: JSONValue)] {
    members.compactMap { member in
      guard let items = resolved(member.value)["items"], !properties(resolved(items)).isEmpty else { return nil }
      return (member.name, items)
    }
  }

  private func records(_ path: String, _ guess: String, _ items: JSONValue) -> InferredFlow {
    let schema = resolved(items)
    let required = Set((required(schema)).compactMap(\.string))
    let fields = properties(schema).map { member -> InferredField in
      let value = resolved(member.value)
      let (type, guess) = type(of: value)
      let isNullable = value["nullable"]?.bool == true || (value["type"]?.array?.contains(.string("null")) ?? false)
      return InferredField(
        name: member.name, type: type, isOptional: isNullable || !required.contains(member.name),
        isNullable: isNullable, guess: guess)
    }
    let key = fields.first {
      ["id", "uuid", "key"].contains($0.name) && !$0.isOptional && ["integer", "string", "uuid"].contains($0.type)
    }?.name
    return InferredFlow(records: path, recordsGuess: guess, key: key, fields: fields)
  }

  private func type(of schema: JSONValue, depth: Int = 0) -> (String, String?) {
    let word = schema["type"]?.string ?? schema["type"]?.array?.first { $0.string != "null" }?.string
    if let values = schema["enum"]?.array?.compactMap(\.string), !values.isEmpty, word == "string" {
      var seen: Set<String> = []
      let list = values.filter { seen.insert($0).inserted }.map { YAMLText.quoted($0) }.joined(separator: ", ")
      return ("{ type: enum, values: [\(list)] }", nil)
    }
    switch word {
    case "integer": return ("integer", nil)
    case "number": return ("decimal", "a number; 'number' would read it as a double")
    case "boolean": return ("boolean", nil)
    case "string":
      switch schema["format"]?.string {
      case "date-time": return ("timestamp", nil)
      case "date": return ("date", nil)
      case "uuid": return ("uuid", nil)
      case "uri", "url": return ("url", nil)
      case "byte": return ("bytes", nil)
      default: return ("string", nil)
      }
    case "array":
      let items = depth < Self.deepest ? schema["items"] : nil
      let (element, _) = items.map { type(of: resolved($0), depth: depth + 1) } ?? ("json", nil)
      return element.hasPrefix("{") || element == "json"
        ? ("json", "a list; '[TYPE]' gives the type of its elements") : ("[\(element)]", nil)
    default: return ("json", word == "object" ? "an object; 'type: object' can name its fields" : nil)
    }
  }

  /// Returns the properties of an object, including those of its `allOf` parts.
  func properties(_ schema: JSONValue, depth: Int = 0) -> [JSONObject.Member] {
    var members: [JSONObject.Member] = []
    for part in parts(schema, depth) { members += properties(part, depth: depth + 1) }
    if case .object(let object)? = schema["properties"] { members += object.members }
    return JSONObject(members).members
  }

  private func required(_ schema: JSONValue, depth: Int = 0) -> [JSONValue] {
    parts(schema, depth).flatMap { required($0, depth: depth + 1) } + (schema["required"]?.array ?? [])
  }

  private func parts(_ schema: JSONValue, _ depth: Int) -> [JSONValue] {
    depth < Self.deepest ? (schema["allOf"]?.array ?? []).prefix(10).map { resolved($0) } : []
  }

  /// The maximum nesting depth, because a document may refer to itself.
  private static let deepest = 4
}
