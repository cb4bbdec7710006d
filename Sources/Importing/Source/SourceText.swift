internal import ByteCodings
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

/// Reads files that are imported.
enum SourceText {
  /// The limits for files of other programs, which are larger than flow files because they repeat many parts.
  static let limits: YAMLLimits = {
    var limits = YAMLLimits()
    limits.bytes = 64 << 20
    limits.nodes = 4_000_000
    limits.aliases = 10_000
    limits.aliasedNodes = 1_000_000
    return limits
  }()

  /// Returns the value of a file in JSON, or in YAML.
  ///
  /// - Throws: an error with the line, for a file that is neither.
  static func value(_ file: SourceFile) throws(ImportError) -> SourceNode {
    if file.path.lowercased().hasSuffix(".py") { throw ImportError(python: file.path) }
    let first = file.bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return node(try yaml(file), path: "") }
    let error: JSONError
    do throws(JSONError) { return try JSONSource.value(file.bytes) } catch let problem { error = problem }
    // A YAML file may begin with a brace, too.
    if let root = try? yaml(file) { return node(root, path: "") }
    let line = file.bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
    throw ImportError("'\(PrintableText.of(file.path))' is not JSON in line \(line): \(error.message)")
  }

  /// Returns the value of a JSON text.
  static func json(_ text: String) throws(JSONError) -> SourceNode { try JSONSource.value(Array(text.utf8)) }

  /// Returns the JSON text of a value.
  static func json(_ node: SourceNode) -> String { String(decoding: JSONWriter.bytes(json(node)), as: UTF8.self) }

  private static func json(_ node: SourceNode) -> JSONValue {
    switch node.content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): .number(JSONNumber(validated: text))
    case .text(let text): .string(text)
    case .list(let elements): .array(elements.map { json($0) })
    case .mapping(let members):
      .object(JSONObject(members.map { JSONObject.Member(name: $0.name, value: json($0.value)) }))
    }
  }

  /// Returns the first document of a YAML file.
  static func yaml(_ file: SourceFile) throws(ImportError) -> YAMLNode {
    var diagnostics = DiagnosticBag()
    guard let root = YAMLStream.documents(file, limits: limits, resolvesMerges: true, diagnostics: &diagnostics)?.first
    else {
      let first = diagnostics.diagnostics.first { $0.severity == .error }
      let line = first?.range.map { " in line \($0.start.line)" } ?? ""
      throw ImportError(
        "'\(PrintableText.of(file.path))' is not YAML\(line): \(first?.message ?? "it is empty")", help: first?.help)
    }
    return root
  }

  /// The value of a YAML node; references of manifests are not followed. The YAML parser limits the nesting.
  private static func node(_ node: YAMLNode, path: String) -> SourceNode {
    let line = node.range.start.line
    switch node.content {
    case .scalar(let scalar): return SourceNode(SourceNode.Content(scalar), line: line, path: path)
    case .sequence(let nodes):
      return SourceNode(
        .list(nodes.enumerated().map { Self.node($0.element, path: "\(path)[\($0.offset)]") }), line: line, path: path)
    case .mapping(let mapping):
      return SourceNode(
        .mapping(
          mapping.entries.map {
            SourceNode.Member(
              name: $0.name, value: Self.node($0.value, path: path.isEmpty ? $0.name : "\(path).\($0.name)"))
          }), line: line, path: path)
    }
  }
}

extension ImportError {
  /// The error for a file of Python code.
  fileprivate init(python path: String) {
    self.init(
      "'\(PrintableText.of(path))' is Python code, which is not run",
      help: """
        write the configuration as JSON, where it is a dictionary 'config': \
        python3 -c "import json, MODULE; print(json.dumps(MODULE.config, default=str))" > config.json
        """)
  }
}

extension SourceNode.Content {
  /// The value of a scalar according to the rules of YAML 1.1.
  init(_ scalar: YAMLScalar) {
    guard !scalar.isNull else {
      self = .null
      return
    }
    guard scalar.style == .plain else {
      self = .text(scalar.text)
      return
    }
    switch scalar.text {
    // The other words of YAML 1.1, such as `no`, are also names of fields: they stay as written.
    case "true", "True", "TRUE": self = .bool(true)
    case "false", "False", "FALSE": self = .bool(false)
    case "Null", "NULL": self = .null
    default: self = Self.isNumber(scalar.text) ? .number(scalar.text) : .text(scalar.text)
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
    let whole = bytes.prefix { ASCII.isDigit($0) }
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
    bytes = bytes.dropFirst(whole.count)
    if bytes.isEmpty { return true }
    guard bytes.first == UInt8(ascii: ".") else { return false }
    bytes.removeFirst()
    return !bytes.isEmpty && bytes.allSatisfy { ASCII.isDigit($0) }
  }
}
