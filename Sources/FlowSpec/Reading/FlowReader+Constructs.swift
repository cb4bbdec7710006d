import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Checks the keys of a value, which must be a mapping, against a construct's table.
  mutating func open(_ value: FieldValue, as name: ConstructName, in scope: Scope? = nil) -> FieldNodes? {
    open(value.node, as: name.construct, owner: value.key, scope: scope ?? value.scope)
  }

  /// Checks the keys of a mapping against a construct's table.
  ///
  /// - Parameters:
  ///   - owner: the location to report if a required key is missing.
  ///   - scope: the names that templates in the mapping may use.
  /// - Returns: the values by key; nil if the node is not a mapping.
  mutating func open(_ node: YAMLNode, as construct: Construct, owner: SourceRange, scope: Scope) -> FieldNodes? {
    guard case .mapping(let mapping) = node.content else {
      return fail(
        .wrongKind, "\(construct.noun) is a mapping, not \(node.kindWords)", at: node.isNull ? owner : node.range,
        help: "its keys are \(listed(construct.fields.map(\.name)))")
    }
    var nodes = FieldNodes(construct, mapping, range: node.range, scope: scope)
    let entries = mapping.entries
    // Loop over indices: an entry is large, and a copy of each entry takes measurable time.
    for index in entries.indices {
      guard let slot = construct.slots[entries[index].name] else {
        nodes.note(reportKey(entries[index], in: construct))
        continue
      }
      if entries[index].value.isNull, construct.fields[slot].kind != .json {
        report(
          .missingValue, "'\(construct.fields[slot].name)' has no value", at: entries[index].key.range,
          help: "leave it out, or write it as in '\(firstLine(of: construct.fields[slot]))'")
        nodes.hasError = true
      }
      nodes.fill(slot: slot, with: index)
    }
    for slot in construct.required where !nodes.isFilled(slot: slot) {
      let field = construct.fields[slot]
      nodes.hasError = true
      // A misspelt key is reported as one error, not as two.
      guard nodes.isLeftOut(field) else { continue }
      report(
        .missingKey, "'\(field.name)' is missing in \(construct.noun)", at: owner,
        help: "add it, for example '\(firstLine(of: field))'")
    }
    checkRequirements(of: nodes)
    return nodes
  }

  /// Reports keys that are missing or have no effect beside the others.
  private mutating func checkRequirements(of nodes: FieldNodes) {
    for requirement in nodes.construct.requirements {
      if requirement.lacksAll(in: nodes) {
        report(requirement.code, requirement.message("", ""), at: nodes.range, help: requirement.help)
      }
      for field in requirement.keys {
        guard let key = nodes.key(field), let word = requirement.conflict(of: field, in: nodes) else { continue }
        report(requirement.code, requirement.message(field.name, word), at: key, help: requirement.help)
      }
    }
  }

  private func firstLine(of field: any FieldSpec) -> String {
    field.examples.first { $0.hasPrefix("\(field.name):") }?
      .split(separator: "\n").first.map(String.init) ?? "\(field.name): …"
  }

  /// Reports a key that is not in the construct's table.
  private mutating func reportKey(_ entry: YAMLMapping.Entry, in construct: Construct) -> UnknownKey {
    if let later = construct.later.first(where: { $0.name == entry.name }) {
      report(
        .unsupportedKey, "'\(entry.name)' is not supported by this version", at: entry.key.range,
        help: "it will declare \(later.summary)" + (later.instead.map { "; until then \($0)" } ?? ""))
      return .foreign
    }
    let suggestion = nearest(to: entry.name, in: construct.fields.map(\.name))
    let home = home(of: entry.name, except: construct)
    report(
      .unknownKey, "unknown key '\(entry.name)' in \(construct.noun)", at: entry.key.range, suggestion: suggestion,
      help: home.map { "'\(entry.name)' belongs in \($0.noun)" }
        ?? "its keys are \(listed(construct.fields.map(\.name), atMost: 20))")
    return suggestion.map { .misspelt($0) } ?? (home == nil ? .unknown : .foreign)
  }

  /// Finds another construct that has a key, to suggest where the key belongs.
  private func home(of key: String, except construct: Construct) -> Construct? {
    let homes: [ConstructName]
    switch construct.name {
    case .field, .element, .schema: return nil
    case .flow, .resource: homes = [.resource, .http, .persistence, .expect, .each, .flow, .file]
    default: homes = [.http, .flow, .resource, .persistence, .expect, .file]
    }
    return homes.first { $0 != construct.name && $0.construct[key] != nil }?.construct
  }

  /// Reads a mapping whose names the author chooses. Invalid names are reported and left out.
  mutating func members(of value: FieldValue, role: NameRole) -> [YAMLMapping.Entry]? {
    guard !value.node.isNull else { return nil }
    guard case .mapping(let mapping) = value.node.content else { return wrongKind(value, "a mapping") }
    return mapping.entries.filter { check($0.name, role: role, at: $0.key) }
  }

  /// The elements of a list.
  mutating func elements(of value: FieldValue) -> [FieldValue]? {
    guard !value.node.isNull else { return nil }
    guard case .sequence(let nodes) = value.node.content else { return wrongKind(value, "a list") }
    return nodes.map { value.part($0) }
  }

  /// The elements of a list, or the value itself if it is not a list.
  mutating func oneOrMore(of value: FieldValue) -> [FieldValue]? {
    value.node.isSequence ? elements(of: value) : [value]
  }
}
