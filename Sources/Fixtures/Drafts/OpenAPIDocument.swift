package import JSONSyntax
internal import YAMLSyntax

/// The GET operations of an OpenAPI 3 document, as drafted flows.
package struct OpenAPIDocument: Sendable {
  /// The first server's URL. Nil when the document has no absolute URL without variables.
  package let server: String?
  /// The title of the document.
  package let title: String?
  /// A flow for each GET operation, in the order of the document.
  package let flows: [DraftFlow]
  /// The names of the variables in the paths.
  package let variables: [String]

  /// Whether a value is an OpenAPI document.
  package static func isOne(_ value: JSONValue) -> Bool { value["openapi"]?.string != nil && value["paths"] != nil }

  /// Parses the text of a document, which is JSON or YAML.
  package static func value(_ bytes: [UInt8], path: String) throws(FixtureError) -> JSONValue {
    let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      do throws(JSONError) {
        return try JSONValue(parsing: bytes)
      } catch {
        throw FixtureError("\(path): \(error)")
      }
    }
    return json(try YAMLNode(document: bytes, path: path, largest: 64 << 20))
  }

  /// Reads the operations of a document.
  package init(_ root: JSONValue) {
    let reader = OpenAPIReader(root)
    server = reader.server
    title = root["info"]?["title"]?.string
    var paths: [OpenAPIPath] = []
    if case .object(let object)? = root["paths"] {
      for path in object.members {
        let item = reader.resolved(path.value)
        guard let operation = item["get"] else { continue }
        paths.append(reader.path(path.name, operation, shared: item["parameters"]))
      }
    }
    (flows, variables) = OpenAPIPath.flows(paths)
  }

  /// Converts a YAML node to JSON. The core schema of YAML determines the types of plain scalars.
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
