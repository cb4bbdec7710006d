internal import ByteCodings
internal import WebSyntax

/// Translates one request of a collection into one flow. Extensions in separate files translate its parts.
struct RequestTranslator {
  var request: CollectedRequest
  let log: ImportLog
  let table: VariableTable
  let draft: FlowDraft
  /// The query parameters whose values do not depend on variables.
  private(set) var constants: [(name: String, value: String)] = []

  init(_ request: CollectedRequest, log: ImportLog, table: VariableTable, draft: FlowDraft) {
    self.request = request
    self.log = log
    self.table = table
    self.draft = draft
  }

  /// Translates all parts of the request except its address.
  mutating func rest(_ outline: ResponseOutline.Reader) {
    draft.method = request.method
    if let description = request.description, !description.isEmpty {
      // A description has no expressions.
      let text = OutputText.flat(log.masked(description)).replacing("{{", with: "{ {").prefix(200)
      let trimmed = text.drop { $0 == " " }
      if !trimmed.isEmpty { draft.keys["description"] = .text(String(trimmed)) }
    }
    headers()
    // Before the body, so that credentials are already known if the body contains them too.
    authorization()
    body()
    if !request.followsRedirects { draft.redirects = .scalar("none") }
    for loss in request.losses { lose(loss.kind, loss.what, needs: loss.needs, at: loss.origin) }
    take(outline)
  }

  // MARK: - Losses and texts

  /// Records a loss, with a comment after the keys that the flow has so far.
  func lose(_ kind: ImportReport.Kind, _ what: String, needs: String, at origin: OutputMapping.Origin) {
    draft.keys.note(log.lose(kind, what, needs: needs, at: origin, flow: draft.name))
  }

  /// A text as a template; records a loss and returns nil when it cannot be translated.
  func template(
    _ text: String, as part: String, at origin: OutputMapping.Origin, literal: ((String) -> String)? = nil
  ) -> FlowTemplate? {
    do throws(SourceTemplateError) {
      if let literal { return try table.template(text, in: request.scope, literal: literal) }
      return try table.template(text, in: request.scope)
    } catch {
      lose(.expression, "\(part): \(error.part)", needs: error.needs, at: origin)
      return nil
    }
  }

  /// The template for a credential; records a loss and returns nil when it cannot be translated.
  func credential(_ text: String, _ wish: String, as part: String, at origin: OutputMapping.Origin) -> FlowTemplate? {
    do throws(SourceTemplateError) {
      return try table.credential(text, wish: wish, in: request.scope)
    } catch {
      lose(.expression, "\(part): \(error.part)", needs: error.needs, at: origin)
      return nil
    }
  }

  /// Whether the value of a parameter, a header or a member is a credential.
  static func isCredential(_ name: String) -> Bool {
    CredentialName.isHeader(name) || CredentialName.isParameter(name)
  }

  /// Whether a value is a credential, by its name or by how it is written.
  static func isCredential(_ name: String, _ value: String) -> Bool {
    !value.isEmpty && (isCredential(name) || CredentialValue.isKnown(value))
  }

  /// Whether the value of a query parameter is a credential.
  static func isCredential(query name: String, _ value: String) -> Bool {
    isCredential(name, value) || !isTemplate(value) && CredentialName.isQuery(name, value: value)
  }

  /// Whether a text has variables or tags.
  static func isTemplate(_ text: String) -> Bool { text.contains("{{") || text.contains("{%") }

  // MARK: - Query and headers

  /// A name that is known before the run; records a loss and returns nil for others, and for empty ones.
  func name(_ text: String, as part: String, at origin: OutputMapping.Origin) -> String? {
    guard Self.isTemplate(text) else { return text.isEmpty ? nil : text }
    if let value = table.value(of: text, in: request.scope), !value.isEmpty, !value.contains("{{") { return value }
    lose(.expression, "\(part): the name '\(text)'", needs: "a name that is known before the run", at: origin)
    return nil
  }

  /// The value of a header or parameter, which must not contain line breaks; records a loss and returns nil for other
  /// values.
  private func line(_ template: FlowTemplate?, as part: String, at origin: OutputMapping.Origin) -> FlowTemplate? {
    guard let template else { return nil }
    let isLine = !template.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
    if !isLine { lose(.request, part, needs: "a value without control characters", at: origin) }
    return isLine ? template : nil
  }

  /// The pairs, with a variable replaced by the pairs in its value if that is a part of a query, such as `a=1&b=2`.
  private func expanded(_ pairs: [CollectedRequest.Pair]) -> [CollectedRequest.Pair] {
    pairs.flatMap { pair in
      guard pair.value.isEmpty, Self.isTemplate(pair.name), let value = table.value(of: pair.name, in: request.scope),
        value.contains("=")
      else { return [pair] }
      return URLText.pairs(value).map { CollectedRequest.Pair(name: $0.name, value: $0.value, origin: pair.origin) }
    }
  }

  /// Puts parameters into the query; one that occurs several times becomes a list.
  mutating func query(_ pairs: [CollectedRequest.Pair]) {
    var values: [(name: String, values: [OutputNode], origin: OutputMapping.Origin)] = []
    for pair in expanded(pairs) {
      guard let name = name(Self.decoded(pair.name), as: "query", at: pair.origin), let node = parameter(name, pair)
      else { continue }
      if let index = values.firstIndex(where: { $0.name == name }) {
        values[index].values.append(node)
      } else {
        values.append((name, [node], pair.origin))
      }
    }
    for parameter in values {
      let value = parameter.values.count == 1 ? parameter.values[0] : .list(parameter.values)
      draft.query.set(parameter.name, value, from: parameter.origin)
    }
  }

  private mutating func parameter(_ name: String, _ pair: CollectedRequest.Pair) -> OutputNode? {
    if Self.isCredential(query: name, pair.value) {
      if !request.encodesURL { draft.unescaped.insert(name) }
      return credential(pair.value, name, as: "query.\(name)", at: pair.origin)?.node
    }
    let change = request.encodesURL ? Self.decoded : Self.withoutSpaces
    let value = template(pair.value, as: "query.\(name)", at: pair.origin, literal: change)
    guard let template = line(value, as: "query.\(name)", at: pair.origin) else { return nil }
    if template.isConstant {
      constants.append((name, request.encodesURL ? template.text : Self.decoded(template.text)))
    }
    if !request.encodesURL, !template.isConstant || !Self.isUnreserved(template.text) {
      draft.unescaped.insert(name)
      if !Self.isTemplate(pair.value), pair.value.contains(" ") {
        lose(
          .request, "query.\(name): a space that is sent as written", needs: "%20, which the flow sends instead",
          at: pair.origin)
      }
    }
    return template.node
  }

  /// Changes a part of a query that is otherwise sent as written: a space becomes `%20`.
  private static func withoutSpaces(_ text: String) -> String { text.replacing(" ", with: "%20") }

  /// Whether a text is the same in a URL, escaped or not (RFC 3986, section 2.3).
  private static func isUnreserved(_ text: String) -> Bool {
    text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~".utf8.contains($0) }
  }

  /// A part of a query as the server decodes it.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
    return PercentCoding.decode(text.replacing("+", with: " "))
  }

  private static let reserved: Set<String> = ["host", "content-length", "transfer-encoding", "connection"]

  private func headers() {
    var literals: [String: String] = [:]
    for pair in request.headers {
      guard let name = name(pair.name.trimmed, as: "headers", at: pair.origin) else { continue }
      let lower = name.lowercased()
      guard !Self.reserved.contains(lower) else { continue }
      guard Self.isToken(name) else {
        lose(.request, "headers: '\(name)'", needs: "a name that a header can have (RFC 9110)", at: pair.origin)
        continue
      }
      // The transport sends this header itself, with the codings that it can decode.
      if lower == "accept-encoding" { continue }
      let template =
        Self.isCredential(name, pair.value)
        ? credential(
          pair.value, lower == "authorization" ? CollectedAuth.tokenName : name, as: "headers.\(name)", at: pair.origin)
        : template(pair.value, as: "headers.\(name)", at: pair.origin)
      guard let template = line(template, as: "headers.\(name)", at: pair.origin) else { continue }
      guard let known = draft.headers.entries.first(where: { $0.name.lowercased() == lower }) else {
        if template.isConstant { literals[lower] = template.text }
        draft.headers.set(name, template.node, from: pair.origin)
        continue
      }
      // Fields with the same name form one list (RFC 9110, section 5.3).
      guard let first = literals[lower], template.isConstant else {
        lose(.request, "headers: a second \(name)", needs: "one value for each name", at: pair.origin)
        continue
      }
      let both = "\(first), \(template.text)"
      literals[lower] = both
      draft.headers[known.name] = .text(both)
    }
  }

  /// Whether a text is a token (RFC 9110, section 5.6.2).
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  // MARK: - The saved response

  private mutating func take(_ outline: ResponseOutline.Reader) {
    let usable = request.examples.filter { (200..<300).contains($0.status) && !$0.body.isEmpty }
    for example in usable {
      let found = outline(
        ResponseOutline.Example(headers: example.headers, body: example.body, query: constants))
      guard let found else { continue }
      return take(found, of: example)
    }
    guard !request.examples.isEmpty else { return }
    draft.keys.note("no saved JSON response with a status of success: the records are stored as received")
  }

  private func take(_ outline: ResponseOutline, of example: CollectedRequest.Example) {
    let origin = request.origin
    draft.keys.note("guessed from the saved response '\(log.masked(example.name))':")
    for note in outline.notes { draft.keys.note(log.masked(note)) }
    draft.keys.set("records", .text(outline.records), from: origin)
    if let pages = outline.pages {
      draft.keys.set("pages", .scalar(pages), from: origin)
      for name in outline.replaced { draft.query[name] = nil }
    }
    if let total = outline.total { draft.keys.set("expect", .map([("total", .text(total))]), from: origin) }
    let schema = SchemaDraft()
    for field in outline.fields {
      guard Self.isName(field.name) else {
        lose(.schema, "a field whose name has control characters", needs: "another name", at: origin)
        continue
      }
      schema.add(
        SchemaDraft.Field(
          name: field.name, type: OutputMapping(field.type.map { ($0.name, .scalar($0.value)) }),
          isOptional: field.isOptional, origin: origin))
    }
    guard !schema.fields.isEmpty else { return }
    if let key = outline.key, schema[key] != nil { schema.key = [key] }
    draft.schema = schema
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}
