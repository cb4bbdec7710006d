internal import SourceDiagnostics

extension TreeBuilder {
  /// Adds a finished node to the innermost mapping, as its next key or value.
  mutating func addToMapping(_ node: consuming YAMLNode, _ measure: NodeMeasure) {
    let top = stack.count - 1
    switch stack[top].expectation {
    case .key:
      stack[top].expectation = expectation(after: node, measure)
      if stack[top].expectation != .refusedValue { keys.append(node) }
      return
    case .value:
      guard let key = keys.popLast() else { return }
      if stack[top].isFlow { checkColon(key, node) }
      pairs[top].append(YAMLMapping.Entry(key: key, value: node))
    case .mergeValue:
      guard let key = keys.popLast() else { return }
      // When the value is missing, the reason has already been reported.
      if measure.isWhole {
        stack[top].hasMerge = true
        merges[top] = (key, node)
      }
    case .refusedValue: break
    }
    stack[top].expectation = .key
  }

  /// Checks a key of the innermost mapping, and returns which kind of value must come next.
  private mutating func expectation(
    after node: YAMLNode, _ measure: NodeMeasure
  ) -> OpenCollection.Expectation {
    let top = stack.count - 1
    guard measure.isWhole else { return .refusedValue }
    guard case .scalar(let scalar) = node.content else {
      if !isStrict { return .value }
      stack[top].measure.isWhole = false
      if !templates.contains(node.range.offsets.lowerBound - 1) {
        problems.report(
          .yamlNonScalarKey, "a key must be text, not a \(node.isMapping ? "mapping" : "list")",
          at: firstLine(node.range.offsets), help: "write the key as plain or quoted text")
      }
      return .refusedValue
    }
    if scalar.isMergeKey, resolvesMerges {
      guard let first = merges[top]?.key else { return .mergeValue }
      reportDuplicate("<<", node, first: first, help: "merge several mappings with one list: <<: [*a, *b]")
      return .refusedValue
    }
    if scalar.style == .plain, scalar.text.isEmpty, scalar.tag == nil, isStrict {
      stack[top].measure.isWhole = false
      problems.report(
        .yamlEmptyKey, "the key in front of ':' is missing", at: view.word(node.range.offsets.lowerBound),
        help: "write the key, or quote the text if it must start with ':'")
      return .refusedValue
    }
    if isStrict, let first = pairs[top].index(of: scalar.text) {
      reportDuplicate(
        scalar.text, node, first: pairs[top].entries[first].key, help: "remove one of the two, or rename it")
      return .refusedValue
    }
    return .value
  }

  private mutating func reportDuplicate(_ name: String, _ node: YAMLNode, first: YAMLNode, help: String) {
    problems.report(
      .yamlDuplicateKey, "the key '\(name)' is already used in this mapping", at: node.range.offsets,
      notes: [problems.note("first used here", at: first.range.offsets)], help: help)
  }

  /// Adds to `pairs` the entries of the mappings in a merge key's value.
  ///
  /// A key that `pairs` already contains is not replaced. So the mapping's own keys win, then those of earlier
  /// mappings.
  ///
  /// - Returns: whether all entries could be merged
  mutating func resolve(_ value: YAMLNode, in pairs: inout PairList) -> Bool {
    switch value.content {
    case .mapping(let mapping):
      Self.merge(mapping, into: &pairs)
      return true
    case .sequence(let items):
      var isWhole = true
      for item in items {
        if case .mapping(let mapping) = item.content {
          Self.merge(mapping, into: &pairs)
        } else {
          isWhole = reportMergeValue(item)
        }
      }
      return isWhole
    case .scalar:
      return reportMergeValue(value)
    }
  }

  private static func merge(_ mapping: YAMLMapping, into pairs: inout PairList) {
    for entry in mapping.entries where pairs.index(of: entry.name) == nil { pairs.append(entry) }
  }

  /// Reports a value that cannot be merged; always returns false.
  private mutating func reportMergeValue(_ node: YAMLNode) -> Bool {
    problems.report(
      .yamlMergeValue, "'<<' merges a mapping or a list of mappings, not \(node.isScalar ? "text" : "a list")",
      at: node.range.offsets.isEmpty ? view.word(node.range.offsets.lowerBound) : firstLine(node.range.offsets),
      help: "merge an anchored mapping (<<: *name), or quote '<<' to use it as a key")
    return false
  }

  // MARK: - Templates

  /// Reports an unquoted template, which YAML reads as a bracketed mapping that is the key of another mapping.
  mutating func checkTemplate(_ start: Int) {
    guard isStrict, let outer = stack.last, outer.isMapping, outer.isFlow, outer.expectation == .key,
      outer.start == start - 1, view.byte(outer.start) == UInt8(ascii: "{")
    else { return }
    reportTemplate(at: outer.start, isInBrackets: stack.dropLast().last?.isFlow ?? false)
  }

  /// Reports an unquoted template that starts at an offset.
  mutating func reportTemplate(at start: Int, isInBrackets: Bool) {
    templates.append(start)
    let value = view.templateValue(from: start, isInBrackets: isInBrackets)
    let text = view.text(value)
    let quoted = view.quoted(text)
    let isWhole = value.count < TextView.longestTemplate
    problems.report(
      .yamlUnquotedTemplate, "a value that starts with '{{' must be quoted; YAML reads '{' as a mapping", at: value,
      help: isWhole ? "quote it: \(quoted)" : "quote it",
      fixIts: isWhole ? [problems.fix("quote the value", replacing: value, with: quoted)] : [])
  }

  /// The part of a range on its first line.
  func firstLine(_ offsets: Range<Int>) -> Range<Int> {
    offsets.lowerBound..<max(offsets.lowerBound, min(offsets.upperBound, view.lineEnd(offsets.lowerBound)))
  }
}
