import Expressions
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads a text that may contain templates, and checks their names and secrets.
  mutating func template(_ value: FieldValue, isLine: Bool = false) -> Located<Template>? {
    guard let text = scalar(value) else { return nil }
    return template(text, isLine: isLine, in: value).map { Located($0, at: value.node.range) }
  }

  /// Reads a text of a single line that may contain templates.
  mutating func lineTemplate(_ value: FieldValue) -> Located<Template>? {
    guard let template = template(value, isLine: true) else { return nil }
    let hasControl = template.value.segments.contains {
      if case .text(let text) = $0 { text.utf8.contains(where: ASCII.isControl) } else { false }
    }
    guard hasControl else { return template }
    return fail(
      .controlCharacter, "'\(value.spec.name)' contains a line break or another control character",
      at: value.node.range, help: "write it on one line")
  }

  /// Reads a text of a single line that is not empty and may contain templates.
  mutating func filled(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    if template.value.constantText != "" { return template }
    return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
  }

  /// Parses a text that may contain templates, and checks their names.
  mutating func template(_ text: String, isLine: Bool = false, in value: FieldValue) -> Template? {
    guard check(foreignTemplatesIn: text, isLine: isLine, in: value) else { return nil }
    guard TemplateScanner.hasTemplate(text) else { return Template(text: text) }
    let scanner = TemplateScanner(text)
    var isRight = scanner.errors.isEmpty
    for error in scanner.errors { report(error, in: value) }
    let isWhole = scanner.pieces.count == 1
    for piece in scanner.pieces where !check(piece, isWhole: isWhole, in: value) { isRight = false }
    guard isRight else { return nil }
    return Template(
      scanner.pieces.map(\.segment), ranges: scanner.pieces.map { location(of: $0.offsets, in: value.node) })
  }

  mutating func report(_ error: TemplateScanner.TemplateError, in value: FieldValue) {
    let range = location(of: error.offsets, in: value.node)
    report(
      error.code, error.message, at: range, help: error.help,
      fixIts: error.replacement.map { [Diagnostic.FixIt("replace it with '\($0)'", replacing: range, with: $0)] } ?? [])
  }

  private mutating func check(_ piece: TemplateScanner.Piece, isWhole: Bool, in value: FieldValue) -> Bool {
    switch piece.segment {
    case .text, .environment: true
    case .variable(let name): check(variable: name, at: nameRange(of: piece, in: value), in: value.scope.file)
    case .secret(let name):
      check(
        secret: name, at: nameRange(of: piece, in: value), whole: location(of: piece.offsets, in: value.node), in: value
      )
    case .expression(let expression): check(expression, from: piece.name?.lowerBound ?? 0, isWhole: isWhole, in: value)
    }
  }

  private mutating func check(variable name: String, at range: SourceRange, in scope: FileScope) -> Bool {
    guard scope.variables[name] == nil, !scope.hasInvalidNames else { return true }
    report(
      .templateUnknownVariable, "variable '\(name)' is not declared", at: range,
      suggestion: nearest(to: name, in: scope.variables.names),
      help: "declare it under 'vars' at the top of the file")
    return false
  }

  /// Checks an expression in a template.
  ///
  /// Its value must be convertible to text, unless the template is a whole value in JSON.
  private mutating func check(
    _ expression: Expression, from start: Int, isWhole: Bool, in value: FieldValue
  ) -> Bool {
    guard let checked = checkedType(of: expression, from: start, in: value) else { return false }
    if value.spec.kind == .json || value.spec.kind == .map(.field, .json), isWhole { return true }
    let range = location(of: start..<start + expression.text.utf8.count, in: value.node)
    let mayBeLeftOut = expression.isOptional && isWhole && value.spec.kind.mayBeLeftOut
    if expression.isOptional, !mayBeLeftOut {
      report(
        .expressionMissing, "'optional' cannot be used here, because this value cannot be left out", at: range,
        help: "optional(…) can only be the whole value of a query parameter, a header, a form's pair or a member of a "
          + "JSON body; give a default instead: coalesce(…, …)")
      return false
    }
    if checked.mayBeMissing, !mayBeLeftOut {
      report(
        .expressionMissing, "'\(printable(expression.text))' may be missing", at: range,
        help: "give a default: coalesce(\(printable(expression.text)), …)"
          + (isWhole && value.spec.kind.mayBeLeftOut
            ? ", or leave it out: optional(\(printable(expression.text)))" : ""))
      return false
    }
    if checked == .null { return true }
    let type = checked.unwrapped
    // A list as the whole value of a parameter repeats the parameter.
    let takesList = value.spec.kind == .map(.parameter, .oneOrMore(.text)) || value.spec.kind == .oneOrMore(.text)
    if takesList, isWhole, case .list(let element) = type, element.hasText {
      return true
    }
    guard type.hasText else {
      report(
        .expressionType, "'\(printable(expression.text))' is \(type), which cannot be written as text", at: range,
        help: "choose a member, join a list with join(…), or write JSON with to_json(…)")
      return false
    }
    return true
  }

  /// Checks the names in an expression, with the messages for templates, and then its types.
  mutating func checkedType(of expression: Expression, from start: Int, in value: FieldValue) -> ExpressionType? {
    var isRight = true
    var hasUnknownName = false
    func location(of offsets: Range<Int>) -> SourceRange {
      self.location(of: start + offsets.lowerBound..<start + offsets.upperBound, in: value.node)
    }
    let hyphenated = value.scope.mayHaveMore ? [] : hyphenatedNames(in: expression, value.scope)
    for name in hyphenated { report(name, at: location(of: name.range), in: value.scope) }
    if !hyphenated.isEmpty { isRight = false }
    for reference in expression.references where !hyphenated.contains(where: { $0.range.overlaps(reference.range) }) {
      let name = reference.firstMember ?? ""
      let member = reference.ranges.count > 1 ? reference.ranges[1] : nil
      switch reference.root {
      case "vars":
        guard let member else { continue }
        let file = value.scope.file
        if !check(variable: name, at: location(of: member), in: file) { isRight = false }
        if !file.variables.isTyped(name) { hasUnknownName = true }
      case "secrets":
        let range = location(of: member ?? reference.range)
        if !check(secret: name, at: range, whole: location(of: reference.range), in: value) { isRight = false }
        if member != nil, !value.scope.file.secrets.contains(name) { hasUnknownName = true }
      case "env": continue
      default:
        if value.scope.names.contains(where: { $0.name == reference.root }) { continue }
        if value.scope.mayHaveMore {
          hasUnknownName = true
        } else {
          report(unknownRoot: reference, at: location(of: reference.ranges.first ?? 0..<0), in: value.scope)
          isRight = false
        }
      }
    }
    guard isRight else { return nil }
    // If the declaration of a name is unknown, the type of the expression is unknown too.
    guard !hasUnknownName else { return .dynamic }
    let (type, errors) = expression.check(value.scope.type)
    for error in errors { report(TemplateScanner.TemplateError(error, from: start), in: value) }
    return errors.isEmpty ? type : nil
  }

  /// The names with hyphens in an expression that are read as subtractions of unknown names.
  private func hyphenatedNames(in expression: Expression, _ scope: Scope) -> [Expression.HyphenatedName] {
    var names: [Expression.HyphenatedName] = []
    for reference in expression.references where scope.type[reference.root] == nil {
      guard let name = expression.hyphenatedName(at: reference.range), !names.contains(name) else { continue }
      names.append(name)
    }
    return names
  }

  private mutating func report(_ name: Expression.HyphenatedName, at range: SourceRange, in scope: Scope) {
    guard let root = name.target, case .object(let object)? = scope.file.type[root] else {
      return report(.templateUnknownRoot, name.message, at: range, help: name.help)
    }
    let word = String(name.name.map { $0 == "-" ? "_" : $0 })
    report(
      .templateUnknownRoot, name.message, at: range,
      suggestion: nearest(to: name.name, in: object.members.map(\.name)).map { "\(root).\($0)" },
      help: "names of \(root) have '_' instead of '-': declare and write '\(word)'")
  }

  private mutating func report(unknownRoot reference: Expression.Reference, at range: SourceRange, in scope: Scope) {
    let root = reference.root
    let known = scope.names.map(\.name)
    let allowed = TemplateScanner.allowed + (known.isEmpty ? "" : "; in this flow also \(listed(known))")
    guard let member = reference.firstMember else {
      report(
        .templateUnknownRoot, "'\(root)' is not a name that can be used here", at: range,
        suggestion: scope.type.path(to: root) ?? nearest(to: root, in: known),
        help: "a variable is vars.\(root), a secret secrets.\(root), a text '\(root)'; \(allowed)")
      return
    }
    let suggestion =
      scope.type.foreignRoot(root) ?? nearest(to: root, in: known) ?? nearest(to: root, in: ["vars", "secrets", "env"])
    report(
      .templateUnknownRoot, "'\(root)' is not known here", at: range,
      help: suggestion.map { "did you mean '\($0).\(member)'?" } ?? allowed,
      fixIts: suggestion.map { [Diagnostic.FixIt("replace it with '\($0)'", replacing: range, with: $0)] } ?? [])
  }

  private mutating func check(
    secret name: String, at range: SourceRange, whole: SourceRange, in value: FieldValue
  ) -> Bool {
    switch value.spec.secrets {
    case .allowed: break
    case .warned:
      report(
        .templateSecretInURL, "secret '\(name)' becomes part of a URL, which servers and proxies write to their logs",
        at: whole, help: "send it in a header if the server allows it")
    case .refused:
      report(
        .templateSecretNotAllowed, "secret '\(name)' is not allowed in '\(value.spec.name)'",
        at: whole, help: "a secret would be visible here, because the text is shown or becomes a file name")
      return false
    }
    let scope = value.scope.file
    usedSecrets.insert(name)
    guard !scope.secrets.contains(name), !scope.hasInvalidNames else { return true }
    report(
      .templateUnknownSecret, "secret '\(name)' is not declared", at: range,
      suggestion: nearest(to: name, in: scope.secrets.sorted()),
      help: "add it to the list 'secrets' at the top of the file")
    return false
  }

  private func nameRange(of piece: TemplateScanner.Piece, in value: FieldValue) -> SourceRange {
    location(of: piece.name ?? piece.offsets, in: value.node)
  }

  /// Reads a whole JSON document. It cannot be `{{ optional(…) }}`, because the document cannot be left out.
  mutating func wholeJSON(_ value: FieldValue) -> Located<TemplatedJSON>? {
    guard let document = templatedJSON(value.node, in: value) else { return nil }
    guard case .template(let template) = document, template.value.isOptional else {
      return Located(document, at: value.node.range)
    }
    return fail(
      .expressionMissing, "'optional' cannot leave the whole document out", at: value.node.range,
      help: "use it for a member of the document, or give a default: coalesce(…, …)")
  }

  /// Reads a JSON document that is an object.
  mutating func jsonMapping(_ value: FieldValue, example: String) -> Located<TemplatedJSON>? {
    guard case .mapping = value.node.content else {
      return fail(
        .wrongKind, "'\(value.spec.name)' must be a mapping, not \(value.node.kindWords)", at: value.node.range,
        help: "write names and values, as in '\(example)'")
    }
    return templatedJSON(value.node, in: value).map { Located($0, at: value.node.range) }
  }

  /// Reads JSON documents by field name.
  mutating func namedJSON(_ value: FieldValue) -> [(name: Located<String>, value: Located<TemplatedJSON>)]? {
    members(of: value, role: .field)?.compactMap { member in
      templatedJSON(member.value, in: value.part(member.value)).map {
        (Located(member.name, at: member.key.range), Located($0, at: member.value.range))
      }
    }
  }

  /// Reads a JSON document that is written as YAML and whose strings may contain templates.
  mutating func templatedJSON(_ node: YAMLNode, in value: FieldValue) -> TemplatedJSON? {
    switch node.content {
    case .scalar(let scalar):
      guard let template = template(scalar.text, in: value.part(node)) else { return nil }
      guard TemplateScanner.hasTemplate(scalar.text) else { return .constant(JSONReading.value(of: scalar)) }
      if let text = template.constantText { return .constant(.string(text)) }
      return .template(Located(template, at: node.range))
    case .sequence(let nodes):
      let elements = nodes.map { templatedJSON($0, in: value) }
      let whole = elements.compactMap { $0 }
      guard whole.count == elements.count else { return nil }
      let constants = whole.compactMap(\.constant)
      return constants.count == whole.count ? .constant(.array(constants)) : .array(whole)
    case .mapping(let mapping):
      guard check(forgottenBracesIn: node, in: value) else { return nil }
      var members: [(name: String, value: TemplatedJSON)] = []
      var isWhole = true
      for entry in mapping.entries {
        let isNamed = !TemplateScanner.hasTemplate(entry.name) || check(entry.name, role: .field, at: entry.key)
        guard let member = templatedJSON(entry.value, in: value), isNamed else {
          isWhole = false
          continue
        }
        members.append((entry.name, member))
      }
      guard isWhole else { return nil }
      let constants = members.compactMap { member in
        member.value.constant.map { JSONObject.Member(name: member.name, value: $0) }
      }
      return constants.count == members.count ? .constant(.object(JSONObject(constants))) : .object(members)
    }
  }
}

extension TemplatedJSON {
  /// The value if it contains no templates, else nil.
  fileprivate var constant: JSONValue? { if case .constant(let value) = self { value } else { nil } }
}
