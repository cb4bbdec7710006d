internal import SourceDiagnostics

extension TreeBuilder {
  /// The kind of a node that has a tag.
  enum TaggedKind {
    case scalar(String)
    case sequence
    case mapping
  }

  /// Returns the core tag of a node; reports and drops any other tag.
  ///
  /// - Parameter resolved: the tag as libyaml resolves it: `tag:yaml.org,2002:str` for `!!str`, `!x` for a local tag
  mutating func checkedTag(_ resolved: String, of kind: TaggedKind, at offsets: Range<Int>) -> String? {
    let tag = CoreTag(resolved: resolved)
    if !isStrict { return tag?.rawValue ?? resolved }
    guard let tag else {
      reportUnknownTag(at: offsets)
      return nil
    }
    switch (kind, tag) {
    case (.sequence, .sequence), (.mapping, .mapping): return tag.rawValue
    case (.scalar(let text), _) where tag.accepts(text): return tag.rawValue
    case (.scalar(let text), _): reportMismatch(tag, "'\(text)'", offsets)
    case (.sequence, _): reportMismatch(tag, "a list", offsets)
    case (.mapping, _): reportMismatch(tag, "a mapping", offsets)
    }
    return nil
  }

  /// Reports a tag that is not a core tag.
  mutating func reportUnknownTag(at offsets: Range<Int>) {
    let written = view.text(offsets)
    let known = CoreTag.allCases.map(\.rawValue)
    let name = written.drop { $0 == "!" }
    let near = NearMiss.suggestion(for: "!!" + name, in: known) ?? known.first { $0 == "!!" + name }
    problems.report(
      .yamlUnknownTag, "the tag '\(written)' is not known", at: offsets,
      help: near.map { "did you mean '\($0)'?" }
        ?? "remove it, or quote the text if it must start with '!'; known are \(known.joined(separator: ", "))",
      fixIts: near.map { [problems.fix("replace it with '\($0)'", replacing: offsets, with: $0)] } ?? [])
  }

  private mutating func reportMismatch(_ tag: CoreTag, _ found: String, _ offsets: Range<Int>) {
    problems.report(
      .yamlTagMismatch, "the tag '\(tag.rawValue)' needs \(tag.requirement), not \(found)", at: offsets,
      help: "remove the tag, or fix the value")
  }

  /// Reports a special space at the start or end of unquoted text, because YAML reads it as part of the text.
  mutating func checkSpaces(_ text: String, _ offsets: Range<Int>) {
    guard !offsets.isEmpty, file.bytes[offsets.lowerBound] >= 0x80 || file.bytes[offsets.upperBound - 1] >= 0x80,
      isStrict
    else { return }
    let scalars = text.unicodeScalars
    if let space = scalars.first, space.isForeignSpace {
      reportSpace(space, offsets.lowerBound..<offsets.lowerBound + UTF8.width(space))
    } else if let space = scalars.last, space.isForeignSpace {
      reportSpace(space, offsets.upperBound - UTF8.width(space)..<offsets.upperBound)
    }
  }

  private mutating func reportSpace(_ space: Unicode.Scalar, _ offsets: Range<Int>) {
    let digits = String(space.value, radix: 16, uppercase: true)
    problems.report(
      .yamlForeignSpace,
      "U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits) looks like a space but is part of the text",
      at: offsets, help: "replace it with a plain space, or quote the text to keep it",
      fixIts: [problems.fix("replace it with a plain space", replacing: offsets, with: " ")])
  }
}

extension Unicode.Scalar {
  /// Whether the character looks like a space or is invisible, but is neither a space nor a line break for YAML.
  fileprivate var isForeignSpace: Bool {
    value != 0x20
      && (properties.generalCategory == .spaceSeparator || (0x200B...0x200D).contains(value) || value == 0x2060)
  }
}
