internal import ByteCodings
internal import JSONSyntax
internal import Records

/// Reads operations of an OpenAPI document.
struct OpenAPIReader {
  private let root: JSONValue

  init(_ root: JSONValue) { self.root = root }

  /// The first server's URL. Nil when the document has no absolute URL without variables.
  var server: String? {
    let url = root["servers"]?.array?.first?["url"]?.string
    return url.flatMap { $0.hasPrefix("http") && !$0.contains("{") ? $0 : nil }
  }

  /// Returns the security requirements of an operation. An empty list means that none are needed.
  func security(_ operation: JSONValue) -> [JSONValue] {
    operation["security"]?.array ?? root["security"]?.array ?? []
  }

  /// Returns a security scheme by its name.
  func scheme(_ name: String) -> JSONValue? {
    root["components"]?["securitySchemes"]?[name].map { resolved($0) }
  }

  /// Creates the flow of a GET operation. The flow's path is written later, when all paths are known.
  func path(_ template: String, _ operation: JSONValue, shared: JSONValue?) -> OpenAPIPath {
    let id = operation["operationId"]?.string.map { DraftFlow.name(for: $0) }
    let plural = DraftFlow.name(for: template)
    // `/pets/{petId}` returns one pet, so the name is the singular.
    let name = template.hasSuffix("}") ? DraftText.singular(plural) : plural
    var flow = DraftFlow(name: id ?? name, path: DraftText(template))
    if let summary = operation["summary"]?.string { flow.notes.append(summary) }
    authorize(&flow, operation)
    var optional: [String] = []
    var counted: [PageParameter] = []
    for parameter in parameters(operation, shared) {
      guard let name = parameter["name"]?.string else { continue }
      let schema = parameter["schema"].map { resolved($0) }
      let isRequired = parameter["required"]?.bool == true
      switch parameter["in"]?.string {
      case "query":
        counted.append(Self.counted(name, schema, isSent: isRequired))
        guard isRequired else {
          optional.append(name)
          continue
        }
        flow.query.append(DraftParameter(name, value(of: parameter, schema, "query parameter", &flow)))
      case "header" where isRequired && !["accept", "content-type", "authorization"].contains(name.lowercased()):
        guard !flow.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else { continue }
        flow.headers.append(DraftParameter(name, value(of: parameter, schema, "header", &flow)))
      default: break
      }
    }
    if let response = response(operation) {
      flow.sample = sample(response)
      flow.take(DraftPages(signs(response, flow.sample), counted))
    }
    let others = optional.filter { flow.pages?.replaced.contains($0) != true }.map { "'\($0)'" }
    if !others.isEmpty {
      flow.notes.append(
        "It also takes the query parameter\(others.count > 1 ? "s" : "") \(others.joined(separator: ", ")).")
    }
    return OpenAPIPath(template, flow)
  }

  /// Returns the parameters of an operation, and the parameters of its path that the operation does not redefine.
  private func parameters(_ operation: JSONValue, _ shared: JSONValue?) -> [JSONValue] {
    var seen: Set<String> = []
    let own = (operation["parameters"]?.array ?? []).map { resolved($0) }
    let all = own + (shared?.array ?? []).map { resolved($0) }
    return all.filter { seen.insert("\($0["in"]?.string ?? "") \($0["name"]?.string ?? "")").inserted }
  }

  private static func counted(_ name: String, _ schema: JSONValue?, isSent: Bool) -> PageParameter {
    let type = schema?["type"]?.string
    let first = schema?["default"]?.int64 ?? schema?["minimum"]?.int64.flatMap { $0 == 0 ? 0 : nil }
    return PageParameter(
      name, value: first.map(String.init), maximum: schema?["maximum"]?.int64,
      isNumber: type == nil || type == "integer" || type == "number", isSent: isSent)
  }

  private func value(
    of parameter: JSONValue, _ schema: JSONValue?, _ noun: String, _ flow: inout DraftFlow
  ) -> DraftText {
    let example = [parameter["example"], schema?["default"], schema?["example"], schema?["enum"]?.array?.first]
      .compactMap { $0 }.first
    if let example { return DraftText(example.string ?? String(decoding: JSONWriter.bytes(example), as: UTF8.self)) }
    flow.notes.append("The \(noun) '\(parameter["name"]?.string ?? "")' is required; write its value.")
    return DraftText("")
  }

  /// Returns the response that an operation has on success: the first 2xx response, or the default.
  private func response(_ operation: JSONValue) -> JSONValue? {
    guard case .object(let responses)? = operation["responses"] else { return nil }
    let response = responses.members.first { $0.name.hasPrefix("2") }?.value ?? responses["default"]
    return response.map { resolved($0) }
  }

  /// Returns the schema of a response's JSON content.
  func content(_ response: JSONValue) -> JSONValue? {
    guard case .object(let content)? = response["content"] else { return nil }
    return content.members.first { $0.name.contains("json") }?.value["schema"].map { resolved($0) }
  }

  /// Follows the references of a value within the document.
  func resolved(_ value: JSONValue) -> JSONValue {
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
