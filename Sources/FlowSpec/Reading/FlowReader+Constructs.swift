import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Checks the keys of a key's mapping against a construct's table.
  mutating func open(_ value: FieldValue, as name: ConstructName, in scope: Scope? = nil) -> FieldNodes? {
    open(value.node, as: name.construct, owner: value.key, scope: scope ?? value.scope)
  }

  /// Checks a mapping's keys against a construct's table.
  /// - Parameters:
  ///   - owner: where to point when a key is missing.
  ///   - scope: what templates in it may use.
  /// - Returns: the values by key; nil when the node is no mapping.
  mutating func open(_ node: YAMLNode, as construct: Construct, owner: SourceRange, scope: Scope) -> FieldNodes? {
    guard case .mapping(let mapping) = node.content else {
      report(
        .wrongKind, "\(construct.noun) is a mapping, not \(node.kindWords)", at: node.isNull ? owner : node.range,
        help: "its keys are \(listed(construct.fields.map(\.name)))")
      return nil
    }
    var nodes = FieldNodes(construct, mapping, range: node.range, scope: scope)
    let entries = mapping.entries
    // By place: a pair is large, and most of them need not be taken out whole.
    for place in entries.indices {
      guard let slot = construct.slots[entries[place].name] else {
        nodes.refuse(reportKey(entries[place], in: construct))
        continue
      }
      if entries[place].value.isNull, construct.fields[slot].kind != .json {
        report(
          .missingValue, "'\(construct.fields[slot].name)' has no value", at: entries[place].key.range,
          help: "leave it out, or write it as in '\(firstLine(of: construct.fields[slot]))'")
        nodes.hasError = true
      }
      nodes.fill(slot: slot, with: place)
    }
    for slot in construct.required where !nodes.isFilled(slot: slot) {
      let field = construct.fields[slot]
      nodes.hasError = true
      // A misspelt key is one mistake, not two.
      guard nodes.isLeftOut(field) else { continue }
      report(
        .missingKey, "'\(field.name)' is missing in \(construct.noun)", at: owner,
        help: "add it, for example '\(firstLine(of: field))'")
    }
    return nodes
  }

  private func firstLine(of field: any FieldSpec) -> String {
    field.examples.first { $0.hasPrefix("\(field.name):") }?
      .split(separator: "\n").first.map(String.init) ?? "\(field.name): …"
  }

  /// Reports a key that is not in the table.
  private mutating func reportKey(_ entry: YAMLMapping.Entry, in construct: Construct) -> RefusedKey {
    if let later = construct.later.first(where: { $0.name == entry.name }) {
      report(
        .unsupportedKey, "'\(entry.name)' is not supported by this version", at: entry.key.range,
        help: "it will declare \(later.summary)" + (later.instead.map { "; until then \($0)" } ?? ""))
      return .foreign
    }
    let meant = nearest(to: entry.name, in: construct.fields.map(\.name))
    let home = home(of: entry.name, except: construct)
    report(
      .unknownKey, "unknown key '\(entry.name)' in \(construct.noun)", at: entry.key.range, meant: meant,
      help: home ?? "its keys are \(listed(construct.fields.map(\.name), atMost: 20))")
    return meant.map { .meaning($0) } ?? (home == nil ? .unknown : .foreign)
  }

  /// Where a key belongs that is right elsewhere.
  private func home(of key: String, except construct: Construct) -> String? {
    let homes: [ConstructName] =
      construct.name == .flow || construct.name == .resource
      ? [.resource, .http, .persistence, .expect, .each, .flow, .file]
      : [.http, .flow, .resource, .persistence, .expect, .file]
    guard construct.name != .field, construct.name != .element, construct.name != .schema else { return nil }
    let home = homes.first { $0 != construct.name && $0.construct[key] != nil }
    guard let home else { return nil }
    return "'\(key)' belongs into \(home.construct.noun)"
  }

  /// A mapping with names of the writer's own; names that must not be are reported and left out.
  mutating func members(of value: FieldValue, role: NameRole) -> [YAMLMapping.Entry]? {
    guard !value.node.isNull else { return nil }
    guard case .mapping(let mapping) = value.node.content else {
      report(
        .wrongKind, "'\(value.spec.name)' is a mapping, not \(value.node.kindWords)", at: value.node.range,
        help: value.spec.examples.first.map { "write it as in '\($0)'" })
      return nil
    }
    return mapping.entries.filter { check($0.name, role: role, at: $0.key) }
  }

  /// The elements of a list.
  mutating func elements(of value: FieldValue) -> [FieldValue]? {
    guard !value.node.isNull else { return nil }
    guard case .sequence(let nodes) = value.node.content else {
      report(
        .wrongKind, "'\(value.spec.name)' is a list, not \(value.node.kindWords)", at: value.node.range,
        help: value.spec.examples.first.map { "write it as in '\($0)'" })
      return nil
    }
    return nodes.map { value.part($0) }
  }

  /// The elements of a list, or the value itself.
  mutating func oneOrMore(of value: FieldValue) -> [FieldValue]? {
    value.node.isSequence ? elements(of: value) : [value]
  }
}
