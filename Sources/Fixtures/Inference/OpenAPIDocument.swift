internal import ByteCodings
package import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

/// The GET operations of an OpenAPI 3 document as first flows.
package struct OpenAPIDocument: Sendable {
  /// The first server's URL; nil when the document names none that is whole.
  package let server: String?
  /// What the document is about.
  package let title: String?
  /// A flow for each GET operation, in the order of the document.
  package let flows: [DraftFlow]
  /// Names of variables that the paths hold.
  package let variables: [String]

  private let root: JSONValue

  /// Whether a document is one.
  package static func isOne(_ value: JSONValue) -> Bool { value["openapi"]?.string != nil && value["paths"] != nil }

  /// Reads JSON or YAML into a value.
  package static func value(_ bytes: [UInt8], path: String) throws(FixtureError) -> JSONValue {
    let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      do throws(JSONError) {
        return try JSONValue(parsing: bytes)
      } catch {
        throw FixtureError("\(path): \(error)")
      }
    }
    var limits = YAMLLimits()
    limits.bytes = 64 << 20
    limits.nodes = 5_000_000
    var diagnostics = DiagnosticBag()
    let file = SourceFile(path: path, bytes: bytes)
    guard let node = YAMLStream.documents(file, limits: limits, diagnostics: &diagnostics)?.first else {
      let first = diagnostics.diagnostics.first
      throw FixtureError("\(path):\(first?.range?.start.line ?? 1): \(first?.message ?? "it cannot be read")")
    }
    return json(node)
  }

  /// Reads a document.
  package init(_ root: JSONValue) {
    self.root = root
    let url = root["servers"]?.array?.first?["url"]?.string
    server = url.flatMap { $0.hasPrefix("http") && !$0.contains("{") ? $0 : nil }
    title = root["info"]?["title"]?.string
    var flows: [DraftFlow] = []
    var variables: [String] = []
    var names: Set<String> = []
    if case .object(let paths)? = root["paths"] {
      for path in paths.members {
        guard let operation = path.value["get"] else { continue }
        let reader = Reader(root: root)
        var flow = reader.flow(path.name, operation, shared: path.value["parameters"], &variables)
        var number = 2
        let name = flow.name
        while !names.insert(flow.name).inserted {
          flow.name = "\(name)_\(number)"
          number += 1
        }
        flows.append(flow)
      }
    }
    self.flows = flows
    self.variables = variables
  }

  private struct Reader {
    let root: JSONValue

    func flow(
      _ path: String, _ operation: JSONValue, shared: JSONValue?, _ variables: inout [String]
    ) -> DraftFlow {
      var text = path
      let id = operation["operationId"]?.string.map { DraftFlow.name(for: $0) }
      var flow = DraftFlow(name: id ?? DraftFlow.name(for: path), path: path)
      if let summary = operation["summary"]?.string { flow.notes.append(summary) }
      for parameter in ((shared?.array ?? []) + (operation["parameters"]?.array ?? [])).map({ resolved($0) }) {
        guard let name = parameter["name"]?.string else { continue }
        let schema = parameter["schema"].map { resolved($0) }
        let example = [parameter["example"], schema?["default"], schema?["example"], schema?["enum"]?.array?.first]
          .compactMap { $0 }.first.map { $0.string ?? String(decoding: JSONWriter.bytes($0), as: UTF8.self) }
        switch parameter["in"]?.string {
        case "path":
          let variable = DraftFlow.name(for: name)
          text = text.replacing("{\(name)}", with: "{{ vars.\(variable) }}")
          if !variables.contains(variable) { variables.append(variable) }
        case "query" where parameter["required"]?.bool == true:
          flow.query.append((name, example ?? ""))
          if example == nil { flow.notes.append("The query parameter '\(name)' is required; write its value.") }
        case "query": flow.notes.append("It also takes the query parameter '\(name)'.")
        default: break
        }
      }
      flow.path = text
      flow.sample = sample(operation)
      return flow
    }

    private func sample(_ operation: JSONValue) -> InferredFlow? {
      guard case .object(let responses)? = operation["responses"] else { return nil }
      let answer = responses.members.first { $0.name.hasPrefix("2") }?.value ?? responses["default"]
      guard let answer, case .object(let content)? = resolved(answer)["content"] else { return nil }
      let json = content.members.first { $0.name.contains("json") }?.value
      guard let schema = json?["schema"].map({ resolved($0) }) else { return nil }
      if let items = schema["items"] { return records("$[*]", "the answer is a list", items) }
      let lists = properties(schema).compactMap { member -> (String, JSONValue)? in
        let value = resolved(member.value)
        guard let items = value["items"], !properties(resolved(items)).isEmpty else { return nil }
        return (member.name, items)
      }
      if let (name, items) = lists.first {
        let others = lists.count > 1 ? ", the first of \(lists.count)" : ""
        return records(
          JSONPath(singular: [.name(name)]).text + "[*]", "the list of objects that the document describes\(others)",
          items)
      }
      return records("$", "the document describes one object", schema)
    }

    private func records(_ path: String, _ guess: String, _ items: JSONValue) -> InferredFlow {
      let schema = resolved(items)
      let required = Set((required(schema)).compactMap(\.string))
      let fields = properties(schema).map { member -> InferredField in
        let value = resolved(member.value)
        let (type, guess) = type(of: value)
        let isNullable = value["nullable"]?.bool == true || (value["type"]?.array?.contains(.string("null")) ?? false)
        return InferredField(
          name: member.name, type: type, isOptional: isNullable || !required.contains(member.name), guess: guess)
      }
      let key = fields.first {
        ["id", "uuid", "key"].contains($0.name) && !$0.isOptional && ["integer", "string", "uuid"].contains($0.type)
      }?.name
      return InferredFlow(records: path, recordsGuess: guess, key: key, fields: fields, pages: nil)
    }

    private func type(of schema: JSONValue) -> (String, String?) {
      let word = schema["type"]?.string ?? schema["type"]?.array?.first { $0.string != "null" }?.string
      if let values = schema["enum"]?.array?.compactMap(\.string), !values.isEmpty, word == "string" {
        let list = values.map { YAMLText.quoted($0) }.joined(separator: ", ")
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
        let (element, _) = schema["items"].map { type(of: resolved($0)) } ?? ("json", nil)
        return element.hasPrefix("{") || element == "json"
          ? ("json", "a list; 'type: list' can say of what") : ("{ type: list, of: \(element) }", nil)
      default: return ("json", word == "object" ? "an object; 'type: object' can name its fields" : nil)
      }
    }

    private func properties(_ schema: JSONValue) -> [JSONObject.Member] {
      var members: [JSONObject.Member] = []
      for part in (schema["allOf"]?.array ?? []).prefix(50) { members += properties(resolved(part)) }
      if case .object(let object)? = schema["properties"] { members += object.members }
      return JSONObject(members).members
    }

    private func required(_ schema: JSONValue) -> [JSONValue] {
      (schema["allOf"]?.array ?? []).prefix(50).flatMap { required(resolved($0)) } + (schema["required"]?.array ?? [])
    }

    /// What a reference leads to, within the document.
    private func resolved(_ value: JSONValue) -> JSONValue {
      var value = value
      for _ in 0..<20 {
        guard let reference = value["$ref"]?.string, reference.hasPrefix("#/") else { return value }
        var target = root
        for name in reference.dropFirst(2).split(separator: "/") {
          let plain = PercentCoding.decode(String(name)).replacing("~1", with: "/").replacing("~0", with: "~")
          guard let next = target[plain] else { return .null }
          target = next
        }
        value = target
      }
      return .null
    }
  }

  /// By YAML's core schema.
  private static func json(_ node: YAMLNode) -> JSONValue {
    switch node.content {
    case .sequence(let nodes): return .array(nodes.map(json))
    case .mapping(let mapping):
      return .object(JSONObject(mapping.entries.map { JSONObject.Member(name: $0.name, value: json($0.value)) }))
    case .scalar(let scalar):
      if scalar.isNull { return .null }
      guard scalar.style == .plain, scalar.tag == nil else { return .string(scalar.text) }
      if scalar.text == "true" || scalar.text == "false" { return .bool(scalar.text == "true") }
      let first = scalar.text.utf8.first
      let looksNumeric = first.map { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") } ?? false
      if looksNumeric, let number = try? JSONValue(parsing: scalar.text) { return number }
      return .string(scalar.text)
    }
  }
}
