internal import SourceDiagnostics

extension TreeBuilder {
  /// Defines an anchor for a node; `built` is nil while the node is still open.
  mutating func define(_ name: String, at offsets: Range<Int>, as built: BuiltNode?) {
    if let earlier = anchors[name], isStrict {
      problems.report(
        .yamlRedefinedAnchor, "the anchor '&\(name)' is already used", at: offsets,
        notes: [problems.note("first used here", at: earlier.offsets)],
        help: "rename one of the two; '*\(name)' would have different values above and below this line")
    }
    if let next = view.byte(offsets.upperBound), next > UInt8(ascii: " "), isStrict,
      ![0x2C, 0x5B, 0x5D, 0x7B, 0x7D].contains(next)
    {
      problems.report(
        .yamlBadAnchor, "the name of the anchor '&\(name)' ends here; a space must follow",
        at: view.word(offsets.upperBound), help: "use letters, digits, '-' and '_', or quote the text")
    }
    anchors[name] = Anchor(offsets: offsets, target: built)
  }

  /// Replaces an alias with the node of its anchor, within the limits.
  mutating func addAlias(_ name: String, _ offsets: Range<Int>) {
    aliases += 1
    guard aliases <= limits.aliases else {
      problems.report(
        .yamlTooManyAliases, "the file uses more than \(limits.aliases) aliases", at: offsets,
        help: "repeat the values instead of using aliases, or split the file")
      return stop()
    }
    guard let anchor = anchors[name] else {
      reportUnknown(name, offsets)
      return addMissing(at: offsets)
    }
    guard let target = anchor.target else {
      problems.report(
        .yamlCyclicAlias, "the alias '*\(name)' is inside the value that it repeats", at: offsets,
        notes: [problems.note("the value starts here", at: anchor.offsets)], help: "a value cannot contain itself")
      return addMissing(at: offsets)
    }
    let measure = target.measure
    aliasedNodes += measure.size
    guard aliasedNodes <= limits.aliasedNodes else {
      problems.report(
        .yamlAliasExpansion, "aliases add more than \(limits.aliasedNodes) values to the file", at: offsets,
        notes: [problems.note("each alias of this anchor adds \(measure.size) values", at: anchor.offsets)],
        help: "use aliases for smaller values, or split the file")
      return stop()
    }
    guard count(measure.size, at: offsets) else { return }
    guard stack.count + measure.height <= limits.depth else { return reportDepth(at: offsets) }
    add(YAMLNode(target.node.content, at: range(offsets)), measure)
  }

  /// Adds an empty scalar, marked as incomplete, instead of a wrong alias, so that the tree keeps its structure.
  private mutating func addMissing(at offsets: Range<Int>) {
    guard count(1, at: offsets) else { return }
    add(YAMLNode(.scalar(YAMLScalar("")), at: range(offsets)), NodeMeasure(isWhole: false))
  }

  private mutating func reportUnknown(_ name: String, _ offsets: Range<Int>) {
    var notes: [Diagnostic.Note] = []
    var help = "quote the text if it must start with '*'"
    if let later = laterAnchor(name, after: offsets.upperBound) {
      notes.append(problems.note("the anchor is defined only here", at: later))
      help = "move the anchored value above the alias"
    } else if let near = NearMiss.suggestion(for: name, in: anchors.keys.sorted()) {
      help = "did you mean '*\(near)'?"
    }
    problems.report(.yamlUnknownAnchor, "the anchor '&\(name)' does not exist", at: offsets, notes: notes, help: help)
  }

  private func laterAnchor(_ name: String, after offset: Int) -> Range<Int>? {
    guard let start = view.find("&" + name, from: offset) else { return nil }
    let end = start + 1 + name.utf8.count
    if let next = view.byte(end), next > UInt8(ascii: " "), ![0x2C, 0x5D, 0x7D].contains(next) { return nil }
    return start..<end
  }
}

extension Anchor {
  /// Sets the finished node as the target, unless a node inside it has an anchor of the same name.
  mutating func close(with built: BuiltNode, startingAt start: Int) {
    if target == nil, offsets.lowerBound < start { target = built }
  }
}
