internal import WebSyntax

/// The variables and secrets of the flow file, declared when something uses them.
final class VariableTable {
  private static let maximumDepth = 16
  private static let maximumSteps = 1_000

  /// The `vars` of the flow file. A variable comes after the variables that it uses.
  private(set) var mapping = OutputMapping()
  /// The names of the secrets, in order.
  private(set) var secretNames: [String] = []
  private let notation: SourceTemplate.Notation
  private let log: ImportLog
  private var names = UniqueNames()
  /// The names of the secrets, by their values.
  private var known: [String: String] = [:]
  /// The names of secrets that no text has used yet, by their values.
  private var expected: [String: String] = [:]
  private var searched = HiddenValues()
  private var depth = 0

  init(_ log: ImportLog, notation: @escaping SourceTemplate.Notation) {
    self.log = log
    self.notation = notation
  }

  // MARK: - Texts

  /// Translates a text into a template. Credentials that it contains together with their names, such as `password=…`,
  /// become secrets.
  func template(_ text: String, in scope: VariableScope) throws(SourceTemplateError) -> FlowTemplate {
    let places = CredentialText.places(in: text)
    guard !places.isEmpty else { return try template(notation(text), in: scope) }
    var result = FlowTemplate(literal: "")
    var start = text.startIndex
    for place in places {
      result.append(try template(notation(String(text[start..<place.range.lowerBound])), in: scope))
      result.append(try credential(String(text[place.range]), wish: place.name, in: scope))
      start = place.range.upperBound
    }
    result.append(try template(notation(String(text[start...])), in: scope))
    return result
  }

  /// Translates a text into a template; `change` is applied to its literal parts.
  func template(
    _ text: String, in scope: VariableScope, literal change: (String) -> String
  ) throws(SourceTemplateError) -> FlowTemplate {
    let parts = notation(text).parts.map { part -> SourceTemplate.Part in
      if case .literal(let text) = part { .literal(change(text)) } else { part }
    }
    return try template(SourceTemplate(parts: parts), in: scope)
  }

  private func template(
    _ source: SourceTemplate, in scope: VariableScope
  ) throws(SourceTemplateError) -> FlowTemplate {
    var result: FlowTemplate?
    for part in source.parts {
      let next = try template(part, in: scope)
      if result == nil { result = next } else { result?.append(next) }
    }
    return result ?? FlowTemplate(literal: "")
  }

  private func template(
    _ part: SourceTemplate.Part, in scope: VariableScope
  ) throws(SourceTemplateError) -> FlowTemplate {
    switch part {
    case .literal(let text): return literal(text)
    case .expression(let expression): return FlowTemplate(expression: expression, canBeLeftOut: false)
    case .unknown(let text, let needs): throw SourceTemplateError(part: text, needs: needs)
    case .variable(let path): return try template(path, in: scope)
    }
  }

  /// The template for a literal text, in which values of secrets are replaced by the secrets.
  private func literal(_ text: String) -> FlowTemplate {
    var (result, rest): (FlowTemplate?, Substring) = (nil, text[...])
    func append(_ part: FlowTemplate) { if result == nil { result = part } else { result?.append(part) } }
    while let (range, value) = searched.first(in: rest) {
      var part = FlowTemplate(literal: String(rest[..<range.lowerBound]))
      let secret = secret(value, wish: expected[value] ?? "secret")
      part.append(FlowTemplate(expression: secret, canBeLeftOut: false))
      append(part)
      rest = rest[range.upperBound...]
    }
    if !rest.isEmpty { append(FlowTemplate(literal: String(rest))) }
    return result ?? FlowTemplate(literal: "")
  }

  /// A template as one expression, such as `vars.a + '-' + vars.b`.
  func expression(_ template: FlowTemplate) -> FlowExpression? {
    if let only = template.only { return only }
    guard template.isConstant else { return nil }
    return .literal(template.text)
  }

  // MARK: - Variables

  private func definition(_ path: [String], in scope: VariableScope) -> VariableScope.Definition {
    let key = path.joined(separator: ".")
    if let found = scope[key] { return found }
    let missing = VariableScope.Definition(key, nil)
    scope.outermost.define(missing)
    return missing
  }

  private func template(_ path: [String], in scope: VariableScope) throws(SourceTemplateError) -> FlowTemplate {
    let definition = definition(path, in: scope)
    if let known = definition.template { return known }
    guard !definition.isOpen, depth < Self.maximumDepth else {
      throw SourceTemplateError(part: "{{ \(definition.key) }}", needs: "a variable that does not contain itself")
    }
    definition.isOpen = true
    depth += 1
    defer {
      definition.isOpen = false
      depth -= 1
    }
    let template = try declared(definition, in: scope)
    definition.template = template
    return template
  }

  /// The template for a path parameter that has no value in the collection: the variable with the same name.
  func path(value key: String, in scope: VariableScope) throws(SourceTemplateError) -> FlowTemplate {
    try template([key], in: scope)
  }

  /// Declares a variable or a secret.
  private func declared(
    _ definition: VariableScope.Definition, in scope: VariableScope
  ) throws(SourceTemplateError) -> FlowTemplate {
    let key = definition.key
    if isSecret(definition) {
      let literal = definition.value?.filled.flatMap { notation($0).constant }
      return FlowTemplate(expression: secret(literal, wish: key), canBeLeftOut: false)
    }
    if let value = definition.value, value.scalar == nil, !value.isNull {
      throw SourceTemplateError(part: "{{ \(key) }}", needs: "a text; its value is \(value.kindName)")
    }
    var entry = OutputMapping()
    if let text = definition.value?.scalar {
      let value = try template(text, in: scope)
      // No variable may use secrets.
      if value.usesSecret { return value }
      if let constant = notation(text).constant {
        entry["default"] = .text(constant)
      } else {
        entry["value"] = value.node
      }
    } else {
      entry["type"] = .scalar("string")
    }
    if let description = definition.description {
      entry["description"] = .text(String(OutputText.flat(log.masked(description)).prefix(120)))
    }
    let name = names.next(FlowName.snake(key))
    if entry.items.count == 1, let value = entry["default"] {
      mapping.append(name, value, from: nil)
    } else {
      mapping.append(name, .mapping(entry), from: nil)
    }
    return FlowTemplate(expression: FlowExpression("vars.\(name)", .string), canBeLeftOut: false)
  }

  private func isSecret(_ definition: VariableScope.Definition) -> Bool {
    let last = definition.key.split(separator: ".").last.map(String.init) ?? definition.key
    return definition.isSecret || definition.key.hasPrefix("vault.") || RequestTranslator.isCredential(last)
      || definition.value?.text.map(CredentialValue.isKnown) == true
  }

  // MARK: - Secrets

  /// The secret that replaces a value; equal values have the same secret.
  func secret(_ value: String?, wish: String) -> FlowExpression {
    if let value, let name = known[value] { return FlowExpression("secrets.\(name)", .string) }
    let name = names.next(FlowName.snake(wish).uppercased())
    secretNames.append(name)
    if let value, !value.isEmpty {
      known[value] = name
      hide(value)
    }
    return FlowExpression("secrets.\(name)", .string)
  }

  /// Registers a credential of a request: its secret replaces it wherever it is written out, and its variables become
  /// secrets.
  func expect(_ credential: CollectedCredential, in scope: VariableScope) {
    let source = notation(credential.text)
    if let constant = source.constant {
      return expect(CredentialText.parts(constant).credential, credential.secretName)
    }
    markSecrets(source, in: scope)
    for path in source.variables {
      let definition = definition(path, in: scope)
      if let literal = definition.value?.filled.flatMap({ notation($0).constant }) { expect(literal, definition.key) }
    }
  }

  private func expect(_ value: String, _ name: String) {
    guard expected[value] == nil else { return }
    expected[value] = name
    hide(value)
  }

  /// Hides a value in all texts and messages.
  private func hide(_ value: String) {
    searched.insert(value)
    log.hide(value)
  }

  /// Translates a credential into a template: its variables and its literal parts become secrets.
  func credential(_ text: String, wish: String, in scope: VariableScope) throws(SourceTemplateError) -> FlowTemplate {
    let source = notation(text)
    if let constant = source.constant {
      let (scheme, value) = CredentialText.parts(constant)
      var result = FlowTemplate(literal: scheme)
      result.append(FlowTemplate(expression: secret(value, wish: wish), canBeLeftOut: false))
      return result
    }
    markSecrets(source, in: scope)
    // Neither a scheme such as `Bearer ` nor a separator between two values is a part of the credential.
    let isPlain = source.parts.allSatisfy {
      if case .literal(let text) = $0 { Self.isScheme(text) || text.count <= 2 } else { true }
    }
    guard !isPlain else { return try template(source, in: scope) }
    let isConstant = source.parts.allSatisfy {
      switch $0 {
      case .literal, .variable: true
      case .expression, .unknown: false
      }
    }
    // A value that is the same in each run becomes one secret; of other values, only the literal parts do.
    if isConstant { return FlowTemplate(expression: secret(text, wish: wish), canBeLeftOut: false) }
    var result = FlowTemplate(literal: "")
    for part in source.parts {
      guard case .literal(let text) = part else {
        result.append(try template(part, in: scope))
        continue
      }
      if Self.isScheme(text) {
        result.append(FlowTemplate(literal: text))
        continue
      }
      let (scheme, value) = CredentialText.parts(text)
      result.append(FlowTemplate(literal: scheme))
      result.append(FlowTemplate(expression: secret(value, wish: wish), canBeLeftOut: false))
    }
    return result
  }

  /// Makes the variables of a credential secrets, unless they have been declared already.
  private func markSecrets(_ source: SourceTemplate, in scope: VariableScope) {
    for path in source.variables { definition(path, in: scope).isSecret = true }
  }

  private static func isScheme(_ text: String) -> Bool {
    text.hasSuffix(" ") && text.utf8.dropLast().allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x2D }
  }

  /// Removes the empty values of variables that a text uses, so that they must be given.
  func forgetEmptyValues(of text: String, in scope: VariableScope) {
    for path in notation(text).variables {
      let key = path.joined(separator: ".")
      guard let found = scope[key], found.template == nil, found.value?.scalar?.isEmpty == true else { continue }
      found.value = nil
    }
  }

  // MARK: - Literal values

  /// The text with its variables replaced by their values; nil when a value is unknown or secret.
  func value(of text: String, in scope: VariableScope) -> String? {
    var steps = 0
    return value(of: notation(text), in: scope, depth: 0, &steps)
  }

  private func value(
    of source: SourceTemplate, in scope: VariableScope, depth: Int, _ steps: inout Int
  ) -> String? {
    steps += 1
    guard depth < Self.maximumDepth, steps < Self.maximumSteps else { return nil }
    var result = ""
    for part in source.parts {
      switch part {
      case .literal(let text): result += text
      case .variable(let path):
        guard let definition = scope[path.joined(separator: ".")], !isSecret(definition),
          let text = definition.value?.scalar,
          let value = value(of: notation(text), in: scope, depth: depth + 1, &steps)
        else { return nil }
        result += value
      case .expression, .unknown: return nil
      }
      guard result.utf8.count < 100_000 else { return nil }
    }
    return result
  }
}
