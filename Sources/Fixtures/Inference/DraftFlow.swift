internal import JSONSyntax

/// A first flow as YAML, with comments on what was guessed.
package struct DraftFlow: Sendable, Hashable {
  /// The flow's key.
  package var name: String
  /// What is asked.
  package var method = "GET"
  /// Relative to the base URL.
  package var path: String
  /// In order.
  package var query: [(name: String, value: String)] = []
  /// In order.
  package var headers: [RecordedRequest.Field] = []
  /// JSON or another text.
  package var body: String?
  /// What a sample said; nil without one.
  package var sample: InferredFlow?
  /// Comments, whole sentences.
  package var notes: [String] = []

  /// A flow that asks for a path.
  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  package static func == (left: DraftFlow, right: DraftFlow) -> Bool {
    left.lines == right.lines
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(lines) }

  /// The file of some flows of one server.
  ///
  /// - Returns: the text, and the secrets that it names and does not hold.
  package static func file(
    _ flows: [DraftFlow], base: String, description: String? = nil, variables: [String] = []
  ) -> (text: String, secrets: [String]) {
    var secrets: [String] = []
    var shared: [RecordedRequest.Field] = []
    if let first = flows.first {
      shared = first.headers.filter { field in flows.allSatisfy { $0.headers.contains(field) } }
    }
    func line(_ field: RecordedRequest.Field) -> String? {
      let name = field.name.lowercased()
      if VolatileHeaders.names.contains(name) || dropped.contains(name) { return nil }
      guard isCredential(name) else { return "\(key(field.name)): \(value(field.value))" }
      let secret = name.uppercased().replacing("-", with: "_")
      if !secrets.contains(secret) { secrets.append(secret) }
      return "\(key(field.name)): \"{{ secrets.\(secret) }}\""
    }
    let common = shared.compactMap(line)
    var body = "flows:\n"
    for flow in flows {
      var flow = flow
      let own = flow.headers.filter { !shared.contains($0) }.compactMap(line)
      flow.headers = []
      body += flow.text(headers: own)
    }
    var text =
      "# A first draft by 'reactor init'. Comments say what was guessed; 'reactor check' reads it.\nreactor: 1\n"
    if let description { text += "description: \(value(description))\n" }
    if !secrets.isEmpty {
      text += "secrets: [\(secrets.joined(separator: ", "))]  # from the environment or --secret-file\n"
    }
    if !variables.isEmpty {
      text += "vars:  # parts of paths; give them by --var\n"
      for name in variables { text += "  \(name): { type: string, default: \"1\" }\n" }
    }
    text += "\nhttp:\n  base_url: \(value(base))\n"
    if !common.isEmpty { text += "  headers:\n" + common.map { "    \($0)\n" }.joined() }
    return (text + "\n" + body, secrets)
  }

  private var lines: String { text(headers: headers.map(\.line)) }

  private func text(headers: [String]) -> String {
    var text = "  \(name):\n"
    for note in notes { text += "    # \(Self.flat(note))\n" }
    let isShort = method == "GET" && query.isEmpty && headers.isEmpty && body == nil
    if isShort {
      text += "    resource: \(Self.value(path))\n"
    } else {
      text += "    resource:\n"
      if method != "GET" { text += "      method: \(method)\n" }
      text += "      path: \(Self.value(path))\n"
      if !query.isEmpty {
        text += "      query:\n"
        for (name, value) in query { text += "        \(Self.key(name)): \(Self.value(value))\n" }
      }
      if !headers.isEmpty { text += "      headers:\n" + headers.map { "        \($0)\n" }.joined() }
      if let body {
        if let json = try? JSONValue(parsing: body) {
          text +=
            "      body: { json: \(String(decoding: JSONWriter.bytes(json), as: UTF8.self).replacing("{{", with: "{ {")) }\n"
        } else {
          text += "      body: { text: \(Self.value(body)) }\n"
        }
      }
    }
    guard let sample else {
      text += "    persistence: out/\(name).jsonl\n"
      return text
    }
    text += "    records: \(Self.value(sample.records))  # guessed: \(Self.flat(sample.recordsGuess))\n"
    if let pages = sample.pages {
      text += "    # Pages: \(Self.flat(pages)); only the first one is asked as it stands here.\n"
      if let remedy = sample.pagesRemedy { text += "    pages: none  # for all of them \(Self.flat(remedy))\n" }
    }
    if !sample.fields.isEmpty {
      text += "    schema:\n"
      if let key = sample.key {
        let reason = sample.count > 0 ? "it differs in all \(sample.count) records of the sample" : "by its name"
        text += "      key: \(Self.value(key))  # guessed: \(reason)\n"
      }
      text += "      fields:\n"
      for field in sample.fields { text += Self.line(field) }
    }
    text += "    persistence: out/\(name).jsonl\n"
    return text
  }

  private static func line(_ field: InferredField) -> String {
    // A field whose name is no plain word is named anew and read from its path.
    let name = fieldName(field.name)
    var parts: [String] = []
    if name != field.name { parts.append("from: \(value(JSONPath(singular: [.name(field.name)]).text))") }
    if field.type.hasPrefix("{") {
      parts.append(String(field.type.dropFirst(2).dropLast(2)))
    } else {
      parts.append("type: \(field.type)")
    }
    if field.isOptional { parts.append("optional: true") }
    let isShort = parts.count == 1 && !field.type.hasPrefix("{")
    let text = isShort ? field.type : "{ \(parts.joined(separator: ", ")) }"
    let guess = field.guess.map { "  # guessed: \(flat($0))" } ?? ""
    return "        \(key(name)): \(text)\(guess)\n"
  }

  /// A name as YAML and JSONPath both take it plainly.
  private static func fieldName(_ name: String) -> String {
    name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } || name.isEmpty ? "field" : name
  }

  private static func key(_ text: String) -> String { isPlainKey(text) ? text : YAMLText.quoted(text) }

  private static func isPlainKey(_ text: String) -> Bool {
    guard let first = text.utf8.first, ByteReplacer.folded(first) &- 0x61 < 26 else { return false }
    return text.utf8.allSatisfy { ByteReplacer.folded($0) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-.".utf8.contains($0) }
      && !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
  }

  /// A value that the reader gives back as it is: braces of templates are escaped.
  private static func value(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { ByteReplacer.folded($0) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-./$:".utf8.contains($0) }
      && isPlainStart(text) && !text.hasSuffix(":") && !["null", "true", "false"].contains(text)
    if isPlain { return text }
    let isTemplate = text.contains("{{ vars.")
    return YAMLText.quoted(isTemplate ? text : text.replacing("{{", with: "{{ \"{{\" }}"))
  }

  private static func isPlainStart(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return ByteReplacer.folded(first) &- 0x61 < 26 || first == UInt8(ascii: "/") || first == UInt8(ascii: "$")
  }

  private static func flat(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// Headers that the program sends by itself, or that speak of the browser only.
  private static let dropped: Set<String> = [
    "host", "content-length", "accept-encoding", "user-agent", "referer", "origin", "pragma", "cache-control", "dnt",
    "te", "upgrade-insecure-requests", "priority", "accept-language", "transfer-encoding", "if-none-match",
    "if-modified-since",
  ]

  /// Headers whose value is not to stand in a file.
  private static func isCredential(_ name: String) -> Bool {
    name == "authorization" || name == "cookie" || name == "proxy-authorization" || name.contains("token")
      || name.contains("api-key") || name.contains("apikey") || name.contains("secret")
  }

  /// A flow's name for a path: its last words.
  package static func name(for path: String, method: String = "GET") -> String {
    let words = path.split(separator: "/").filter { !$0.hasPrefix("{") && !$0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
    var name = ""
    for byte in (words.last ?? "records").utf8 {
      let isWord = ByteReplacer.folded(byte) &- 0x61 < 26 || byte &- 0x30 < 10
      name.unicodeScalars.append(isWord ? Unicode.Scalar(byte) : "_")
    }
    while name.hasPrefix("_") || name.first.map({ $0.isNumber }) ?? false { name.removeFirst() }
    return name.isEmpty ? "records" : name.lowercased()
  }
}
