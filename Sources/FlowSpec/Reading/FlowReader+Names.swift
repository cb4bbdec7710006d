import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Whether a name is allowed in its role. If not, an error is reported.
  mutating func check(_ name: String, role: NameRole, at node: YAMLNode) -> Bool {
    if TemplateScanner.hasTemplate(name), let braces = TemplateScanner.firstBraces(in: Array(name.utf8), from: 0) {
      report(
        .templateNotAllowed, "names cannot contain templates", at: location(of: braces..<name.utf8.count, in: node),
        help: "write the name itself, without braces")
      return false
    }
    guard !role.admits(name) else { return true }
    switch role {
    case .header:
      report(
        .invalidHeader, "'\(printable(name))' is not a header name", at: node.range,
        help: "a header name consists of \(role.rule)")
    case .field, .parameter, .path, .choice:
      if name.isEmpty {
        report(.invalidName, "the name is empty", at: node.range)
      } else {
        report(
          .controlCharacter, "the name contains a control character or is longer than 200 bytes", at: node.range)
      }
    case .secret where name.contains("="):
      // The message must not show the value.
      report(
        .invalidName, "a secret is declared by its name only", at: node.range,
        help: "write the name without '=' and its value; the value comes from the environment or --secret-file")
    default:
      let suggestion = String(name.map { " .-/".contains($0) ? "_" : $0 })
      report(
        .invalidName, "'\(printable(name))' cannot be the name of a \(role.rawValue)", at: node.range,
        suggestion: name.count <= 40 && role.admits(suggestion) ? suggestion : nil,
        help: "a \(role.rawValue) name is \(role.rule)")
    }
    return false
  }

  /// Reads a name that is the value of a key.
  mutating func name(_ value: FieldValue, role: NameRole) -> Located<String>? {
    guard let text = text(value), check(text, role: role, at: value.node) else { return nil }
    return Located(text, at: value.node.range)
  }

  /// Reads a list of names; duplicates are reported and left out.
  mutating func names(_ values: [FieldValue], role: NameRole) -> [Located<String>] {
    var seen: [String: SourceRange] = [:]
    return values.compactMap { name($0, role: role) }.filter {
      !isRepeated($0.value, $0.value, at: $0.range, in: &seen, "named")
    }
  }

  /// Reads names with values that may contain templates.
  ///
  /// If the kind allows a list as a value, its elements become entries with the same name.
  ///
  /// - Parameter lines: whether values may have several lines. In forms, which are encoded, line breaks are data.
  mutating func namedTemplates(_ value: FieldValue, role: NameRole, lines: Bool = false) -> [NamedTemplate] {
    guard let members = members(of: value, role: role) else { return [] }
    var pairs: [NamedTemplate] = []
    for member in members {
      let name = Located(member.name, at: member.key.range)
      if case .sequence(let nodes) = member.value.content, role == .parameter {
        for node in nodes {
          if let text = parameter(value.part(node), lines) { pairs.append(Named(name, text)) }
        }
      } else if let text = parameter(value.part(member.value, at: member.key.range), lines, in: member.name) {
        pairs.append(Named(name, text))
      }
    }
    return pairs
  }

  private mutating func parameter(_ value: FieldValue, _ lines: Bool, in name: String? = nil) -> Located<Template>? {
    if value.node.isScalar { return lines ? template(value) : lineTemplate(value) }
    guard check(forgottenBracesIn: value.node, in: value) else { return nil }
    return fail(
      .wrongKind, "'\(name ?? value.spec.name)' must be a single value, not \(value.node.kindWords)",
      at: value.node.range,
      help: value.spec.kind == .map(.header, .text)
        ? "write it as text" : "write it as text, or as a list to repeat the parameter")
  }

  /// Whether a list contains a value already. If so, an error is reported.
  ///
  /// - Parameter text: the value as the message shows it.
  mutating func isRepeated<Value: Hashable>(
    _ value: Value, _ text: String, at range: SourceRange, in seen: inout [Value: SourceRange],
    _ verb: String = "listed", code: FlowCode = .duplicateItem
  ) -> Bool {
    guard let first = seen.updateValue(range, forKey: value) else { return false }
    seen[value] = first
    report(
      code, "'\(text)' is \(verb) twice", at: range,
      notes: [Diagnostic.Note("the first one is \(verb) here", at: first)])
    return true
  }

  /// The source location of a byte range in a scalar's text.
  func location(of offsets: Range<Int>, in node: YAMLNode) -> SourceRange {
    guard case .scalar(let scalar) = node.content else { return node.range }
    return ScalarRanges(scalar, at: node.range).range(of: offsets)
  }

  /// A text on a single line for messages, cut to 60 characters.
  func printable(_ text: String) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return line.count <= 60 ? line : line.prefix(57) + "…"
  }
}
