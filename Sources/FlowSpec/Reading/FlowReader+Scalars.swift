internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

extension FlowReader {
  /// Reads the text of a scalar as written. A template in the text is an error.
  mutating func text(_ value: FieldValue) -> String? {
    guard let text = scalar(value) else { return nil }
    guard TemplateScanner.hasTemplate(text) else { return text }
    let errors = diagnostics.diagnostics.count
    for piece in TemplateScanner(text).pieces {
      let range = location(of: piece.offsets, in: value.node)
      switch piece.segment {
      // Braces that are not a template are ordinary text here.
      case .text: continue
      case .secret(let name):
        report(.templateSecretNotAllowed, "secret '\(name)' is not allowed in '\(value.spec.name)'", at: range)
      default:
        report(
          .templateNotAllowed, "'\(value.spec.name)' cannot contain templates", at: range,
          help: value.spec.kind == .jsonPath
            ? "write a path of the response, as in '\(value.spec.examples.first ?? "$.data")'"
            : "write the value itself")
      }
    }
    return diagnostics.diagnostics.count == errors ? text : nil
  }

  /// Reads the text of a scalar that is not null.
  mutating func scalar(_ value: FieldValue) -> String? {
    guard case .scalar(let scalar) = value.node.content else { return wrongKind(value, "a single value") }
    guard !scalar.isNull else {
      // If the value belongs to a key itself, the missing value was reported when the mapping was opened.
      guard let part = value.part else { return nil }
      return fail(
        .missingValue, "a value is missing in '\(value.spec.name)'", at: part,
        help: "write '' for an empty text, or quote the word")
    }
    return scalar.text
  }

  /// Reports a template in the syntax of another program. Returns whether the text contains none.
  ///
  /// - Parameter isLine: whether the text is one line, such as a header or a parameter, and not a body.
  mutating func check(foreignTemplatesIn text: String, isLine: Bool, in value: FieldValue) -> Bool {
    let scope = value.scope.type
    let roots = Set(scope.names.map(\.name) + ["vars", "secrets", "env", "config"])
    guard let found = ForeignTemplate.first(in: text, roots: roots, isLine: isLine) else { return true }
    let written = printable(String(decoding: Array(text.utf8)[found.offsets], as: UTF8.self))
    diagnostics.report(found.diagnostic(written, at: location(of: found.offsets, in: value.node), in: scope))
    return false
  }

  /// Reports a value `{ vars.NAME }`, which YAML reads as a mapping. Returns true for any other value.
  mutating func check(forgottenBracesIn node: YAMLNode, in value: FieldValue) -> Bool {
    guard case .mapping(let mapping) = node.content, mapping.entries.count == 1, let entry = mapping.entries.first,
      entry.value.isNull, let dot = entry.name.firstIndex(of: "."),
      value.scope.type[String(entry.name[..<dot])] != nil
    else { return true }
    let template = "\"{{ \(printable(entry.name)) }}\""
    report(
      .foreignTemplate, "YAML reads '{ \(printable(entry.name)) }' as a mapping, not as a template", at: node.range,
      help: "write \(template), with two braces and in quotes",
      fixIts: [Diagnostic.FixIt("write it as a template", replacing: node.range, with: template)])
    return false
  }

  /// Reports a value whose kind the key does not allow.
  mutating func wrongKind<Value>(_ value: FieldValue, _ expected: String) -> Value? {
    guard check(forgottenBracesIn: value.node, in: value) else { return nil }
    return fail(
      .wrongKind, "'\(value.spec.name)' must be \(expected), not \(value.node.kindWords)", at: value.node.range,
      help: value.spec.examples.first.map { "write it as in '\($0)'" })
  }

  /// Reads text of any number of lines.
  mutating func freeText(_ value: FieldValue) -> String? {
    guard let text = text(value) else { return nil }
    guard text.utf8.contains(where: { ASCII.isControl($0) && $0 != 0x0A && $0 != 0x09 }) else { return text }
    return fail(.controlCharacter, "'\(value.spec.name)' contains a control character", at: value.node.range)
  }

  /// Reads a scalar with a function. If the function throws, reports that the text is not `expected`.
  mutating func value<Value>(
    _ value: FieldValue, _ read: (String) throws(ValueError) -> Value, _ code: FlowCode, _ expected: String
  ) -> Value? {
    guard let text = text(value) else { return nil }
    do throws(ValueError) {
      return try read(text)
    } catch {
      report(code, "'\(printable(text))' is not \(expected)", error, at: value)
      return nil
    }
  }

  mutating func boolean(_ value: FieldValue) -> Bool? {
    self.value(value, BooleanText.value, .invalidBoolean, "a boolean")
  }

  mutating func integer(_ value: FieldValue, in bounds: ClosedRange<Int>) -> Located<Int>? {
    guard let number = self.value(value, IntegerText.value, .invalidInteger, "an integer") else { return nil }
    if bounds.contains(number) { return Located(number, at: value.node.range) }
    return fail(
      .outOfRange, "\(number) is out of range for '\(value.spec.name)'", at: value.node.range,
      help: bounds.upperBound == Int.max
        ? "it must be at least \(bounds.lowerBound)" : "it must be from \(bounds.lowerBound) to \(bounds.upperBound)")
  }

  /// Reads a duration and returns it in seconds.
  mutating func duration(_ value: FieldValue, in bounds: ClosedRange<Double>? = nil) -> Located<Double>? {
    guard let text = text(value) else { return nil }
    do throws(ValueError) {
      let seconds = try seconds(reading: text)
      guard let bounds, !bounds.contains(seconds) else { return Located(seconds, at: value.node.range) }
      return fail(
        .outOfRange, "\(text) is out of range for '\(value.spec.name)'", at: value.node.range,
        help: "it must be from 1ms to \(Int(bounds.upperBound / 86400))d")
    } catch {
      report(.invalidDuration, "'\(printable(text))' is not a duration", error, at: value)
      return nil
    }
  }

  /// Reads one of the given words.
  mutating func choice(_ value: FieldValue, _ words: [String]) -> String? {
    guard let text = text(value) else { return nil }
    if words.contains(text) { return text }
    return fail(
      .unknownValue, "'\(printable(text))' is not a value of '\(value.spec.name)'", at: value.node.range,
      suggestion: nearest(to: text, in: words), help: "it must be one of \(listed(words, joining: "or", atMost: 20))")
  }

  /// Reads a location in a response.
  mutating func responseLocation(_ value: FieldValue) -> Located<ResponseLocation>? {
    guard let text = value.word, let name = ResponseLocation.header(in: text) else {
      return jsonPath(value).map { Located(.body($0.value), at: $0.range) }
    }
    guard check(name, role: .header, at: value.node) else { return nil }
    return Located(.header(name), at: value.node.range)
  }

  /// Reads a JSONPath. The location of an error is its position in the path.
  mutating func jsonPath(_ value: FieldValue) -> Located<JSONPath>? {
    guard let text = text(value) else { return nil }
    do throws(JSONPathError) {
      return Located(try path(parsing: text), at: value.node.range)
    } catch {
      let start = min(max(error.offset, 0), text.utf8.count)
      let suggestion = Self.pathCandidates(text).first { (try? JSONPath(parsing: $0)) != nil }
      return fail(
        .invalidPath, "'\(printable(text))' is not a JSONPath" + (suggestion == nil ? ": \(error.message)" : ""),
        at: suggestion == nil
          ? location(of: start..<min(start + 1, text.utf8.count), in: value.node) : value.node.range,
        suggestion: suggestion, help: "paths follow RFC 9535, for example $.data[*]")
    }
  }

  /// The JSONPaths that the author perhaps meant, if the text is an expression such as `response.data`, a path of jq, a
  /// JSON Pointer, or a name with a hyphen.
  private static func pathCandidates(_ text: String) -> [String] {
    var rest = text[...]
    if rest.hasPrefix("$") { rest.removeFirst() }
    for root in ["response", "record", "source"]
    where rest == root || rest.hasPrefix("\(root).") || rest.hasPrefix("\(root)[") {
      rest = rest.dropFirst(root.utf8.count)
    }
    if rest.hasPrefix("/") { rest = ".\(rest.dropFirst().split(separator: "/").joined(separator: "."))"[...] }
    if !rest.isEmpty, !rest.hasPrefix("."), !rest.hasPrefix("[") { rest = ".\(rest)" }
    // `.data[]` of jq.
    let path = "$" + rest.split(separator: "[]", omittingEmptySubsequences: false).joined(separator: "[*]")
    let quoted = path.split(separator: ".", omittingEmptySubsequences: false).map { part -> String in
      let name = part.prefix { $0 != "[" }
      return name.contains("-") ? "['\(name)']\(part.dropFirst(name.count))" : ".\(part)"
    }.joined()
    return [path, String(quoted.dropFirst())]
  }

  /// Reads a JSONPath that consists only of member names.
  mutating func memberPath(_ value: FieldValue, example: String) -> [JSONPath.Step]? {
    guard let path = jsonPath(value) else { return nil }
    return path.value.memberSteps
      ?? fail(
        .invalidPath, "'\(path.value.text)' does not name one member of the body", at: path.range,
        help: "write names only, for example \(example)")
  }

  mutating func report(_ code: FlowCode, _ message: String, _ error: ValueError, at value: FieldValue) {
    report(
      code, message + error.detailText, at: value.node.range, suggestion: error.suggestion,
      help: "write \(error.expected)")
  }

  /// Reads a value that may contain templates, but no secrets.
  mutating func setting<Value>(
    _ value: FieldValue, _ parse: (String) throws(SettingError) -> Value
  ) -> Setting<Value>? {
    guard let text = scalar(value), check(foreignTemplatesIn: text, isLine: true, in: value) else { return nil }
    guard !TemplateScanner.hasTemplate(text) else {
      return lineTemplate(value.inScope(value.scope.with([]))).map { .template($0) }
    }
    do throws(SettingError) {
      return .value(Located(try parse(text), at: value.node.range))
    } catch {
      return fail(error.code, error.message, at: value.node.range, suggestion: error.suggestion, help: error.help)
    }
  }
}

extension JSONPath {
  /// The member names that lead to one member; nil for other paths and for the root.
  var memberSteps: [Step]? {
    guard let steps = singularSteps, !steps.isEmpty,
      steps.allSatisfy({ if case .name = $0 { true } else { false } })
    else { return nil }
    return steps
  }
}

extension FlowReader {
  /// Reads a key whose value is an expression, with or without braces around it.
  ///
  /// - Parameter type: the type that the expression must have; `optional(dynamic)` accepts any type.
  mutating func expression(_ value: FieldValue, of type: ExpressionType) -> Located<Expression>? {
    guard let text = scalar(value) else { return nil }
    let bytes = Array(text.utf8)
    var range = bytes.indices
    func trim() {
      while let first = range.first, ASCII.isSpace(bytes[first]) { range.removeFirst() }
      while let last = range.last, ASCII.isSpace(bytes[last]) { range.removeLast() }
    }
    trim()
    // Remove braces around the whole expression.
    if bytes[range].starts(with: "{{".utf8),
      Expression.end(of: bytes, from: range.lowerBound + 2) == range.upperBound - 2
    {
      range = range.lowerBound + 2..<range.upperBound - 2
      trim()
    }
    let expression: Expression
    do throws(ExpressionError) {
      expression = try Expression(parsing: String(decoding: bytes[range], as: UTF8.self))
    } catch {
      report(TemplateScanner.TemplateError(error, from: range.lowerBound), in: value)
      return nil
    }
    guard let found = checkedType(of: expression, from: range.lowerBound, in: value) else { return nil }
    guard type == .optional(.dynamic) || found == .dynamic || found.unwrapped == type else {
      return fail(
        .expressionType, "'\(printable(expression.text))' is \(found), but '\(value.spec.name)' must be \(type)",
        at: location(of: range, in: value.node), help: type == .bool ? "compare it, as in a == b" : nil)
    }
    guard type == .optional(.dynamic) || !found.mayBeMissing else {
      return fail(
        .expressionMissing, "'\(printable(expression.text))' may be missing", at: location(of: range, in: value.node),
        help: "give a default: coalesce(\(printable(expression.text)), …)")
    }
    return Located(expression, at: value.node.range)
  }
}
