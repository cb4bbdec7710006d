internal import SourceDiagnostics

extension TreeBuilder {
  /// Takes a finished node as the key or the value that a mapping waits for.
  mutating func add(_ built: consuming BuiltNode, to mapping: OpenCollection) {
    guard let key = mapping.key.take() else {
      mapping.key = self.key(from: built, of: mapping)
      return
    }
    switch key {
    case .ordinary(let key, let name):
      if mapping.isFlow { checkColon(key, built.node) }
      mapping.append(YAMLMapping.Entry(name: name, key: key, value: built.node))
    case .merge(let key):
      if built.isWhole { mapping.merge = (key, built.node) }
    case .refused: break
    }
  }

  private mutating func key(from built: consuming BuiltNode, of mapping: OpenCollection) -> OpenCollection.PendingKey {
    let node = built.node
    guard built.isWhole else { return .refused }
    guard case .scalar(let scalar) = node.content else {
      if policy.contains(.anyKeys) { return .ordinary(node, name: "") }
      mapping.isWhole = false
      if !templates.contains(node.range.offsets.lowerBound - 1) {
        problems.report(
          .yamlNonScalarKey, "a key must be text, not a \(node.isMapping ? "mapping" : "list")",
          at: firstLine(node.range.offsets), help: "write the key as plain or quoted text")
      }
      return .refused
    }
    if scalar.isMergeKey, !policy.contains(.plainMergeKeys) {
      guard let first = mapping.merge?.key else { return .merge(node) }
      reportDuplicate("<<", node, first: first, help: "merge several mappings with one list: <<: [*a, *b]")
      return .refused
    }
    if scalar.style == .plain, scalar.text.isEmpty, scalar.tag == nil, !policy.contains(.anyKeys) {
      mapping.isWhole = false
      problems.report(
        .yamlEmptyKey, "the key in front of ':' is missing", at: view.word(node.range.offsets.lowerBound),
        help: "write the key, or quote the text if it is meant to start with ':'")
      return .refused
    }
    if !policy.contains(.repeatedKeys), let first = mapping.entry(named: scalar.text) {
      reportDuplicate(scalar.text, node, first: first.key, help: "remove one of the two, or rename it")
      return .refused
    }
    return .ordinary(node, name: scalar.text)
  }

  private mutating func reportDuplicate(_ name: String, _ node: YAMLNode, first: YAMLNode, help: String) {
    problems.report(
      .yamlDuplicateKey, "the key '\(name)' is already used in this mapping", at: node.range.offsets,
      notes: [problems.note("first used here", at: first.range.offsets)], help: help)
  }

  /// Adds what a merge key brings: own keys win, then the sources in their order.
  mutating func resolveMerge(in collection: OpenCollection) {
    guard let value = collection.merge?.value else { return }
    switch value.content {
    case .mapping(let mapping):
      merge(mapping, into: collection)
    case .sequence(let items):
      for item in items {
        if case .mapping(let mapping) = item.content {
          merge(mapping, into: collection)
        } else {
          reportMergeValue(item, collection)
        }
      }
    case .scalar:
      reportMergeValue(value, collection)
    }
  }

  private func merge(_ mapping: YAMLMapping, into collection: OpenCollection) {
    for entry in mapping.entries where collection.entry(named: entry.name) == nil { collection.append(entry) }
  }

  private mutating func reportMergeValue(_ node: YAMLNode, _ collection: OpenCollection) {
    collection.isWhole = false
    problems.report(
      .yamlMergeValue, "'<<' merges a mapping or a list of mappings, not \(node.isScalar ? "text" : "a list")",
      at: node.range.offsets.isEmpty ? view.word(node.range.offsets.lowerBound) : firstLine(node.range.offsets),
      help: "merge an anchored mapping (<<: *name), or quote '<<' if it is meant as a key")
  }

  // MARK: - Templates

  /// Notices `{{` where a bracketed mapping starts as the key of another: a template that was not quoted.
  mutating func checkTemplate(_ start: Int) {
    guard !policy.contains(.anyKeys), let outer = stack.last, outer.isMapping, outer.isFlow, outer.key == nil,
      outer.entries.isEmpty, outer.start == start - 1, view.byte(outer.start) == UInt8(ascii: "{")
    else { return }
    reportTemplate(at: outer.start, isInBrackets: stack.dropLast().last?.isFlow ?? false)
  }

  /// Reports an unquoted template that starts at an offset.
  mutating func reportTemplate(at start: Int, isInBrackets: Bool) {
    templates.append(start)
    let value = view.templateValue(from: start, isInBrackets: isInBrackets)
    let text = view.text(value)
    let quoted = view.quoted(text)
    problems.report(
      .yamlUnquotedTemplate, "a value that starts with '{{' must be quoted; YAML reads '{' as a mapping", at: value,
      help: "quote it: \(quoted)", fixIts: [problems.fix("quote the value", replacing: value, with: quoted)])
  }

  /// The part of a range on its first line.
  func firstLine(_ offsets: Range<Int>) -> Range<Int> {
    offsets.lowerBound..<max(offsets.lowerBound, min(offsets.upperBound, view.lineEnd(offsets.lowerBound)))
  }
}
