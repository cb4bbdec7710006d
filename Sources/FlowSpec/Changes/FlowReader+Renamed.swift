internal import SourceDiagnostics
internal import YAMLSyntax

extension FlowReader {
  /// What a key by an earlier spelling stands for.
  enum RenamedEntry {
    /// The same value by another name: the slot of the key, which is read on.
    case slot(Int)
    /// Another value: the name of the key that it becomes, which is then not missing.
    case rewritten(String)
  }

  /// Reports a key by a spelling of an earlier version, with the replacements that write the present one.
  mutating func renamed(
    _ entry: YAMLMapping.Entry, of entries: [YAMLMapping.Entry], in construct: Construct
  ) -> RenamedEntry? {
    guard let present = RenamedKey.present(entry.name, in: construct.name) else { return nil }
    switch present {
    case .name(let name):
      report(
        entry, as: name, fixIts: [Diagnostic.FixIt("write '\(name)'", replacing: entry.key.range, with: name)])
      return construct.slots[name].map { .slot($0) }
    case .value(let name, let pattern):
      rewrite(entry, as: name, value: Self.text(of: entry.value).map { pattern.replacing("…", with: $0) } ?? pattern)
      return .rewritten(name)
    case .words(let name, let words):
      rewrite(entry, as: name, value: Self.text(of: entry.value).flatMap { words[$0] } ?? "…")
      return .rewritten(name)
    case .member(let member, let owner, let beside):
      report(entry, asMember: member, of: entries.first { $0.name == owner }, named: owner, beside: beside)
      return .rewritten(owner)
    }
  }

  private mutating func report(_ entry: YAMLMapping.Entry, as text: String, fixIts: [Diagnostic.FixIt]) {
    report(
      .renamedKey, "'\(entry.name)' is '\(text)' now", at: entry.key.range,
      help: "write '\(text)'" + (fixIts.isEmpty ? "" : "; 'reactor check --fix' does so in the files"), fixIts: fixIts)
  }

  private mutating func rewrite(_ entry: YAMLMapping.Entry, as name: String, value: String) {
    let text = "\(name): \(value)"
    let range = Self.range(of: entry)
    report(
      entry, as: text,
      fixIts: value.contains("…") ? [] : [Diagnostic.FixIt("write '\(text)'", replacing: range, with: text)])
  }

  /// - Parameter owner: the entry that gets the member, if it is there
  private mutating func report(
    _ entry: YAMLMapping.Entry, asMember member: String, of owner: YAMLMapping.Entry?, named name: String,
    beside: String?
  ) {
    let value = Self.source(of: entry.value.range)
    guard let owner else {
      return rewrite(entry, as: name, value: Self.text(of: entry.value) == nil ? "…" : "{ \(member): \(value) }")
    }
    guard let beside, case .scalar = owner.value.content, Self.text(of: entry.value) != nil else {
      return report(entry, as: "\(name): { \(member): … }", fixIts: [])
    }
    let text = "{ \(beside): \(Self.source(of: owner.value.range)), \(member): \(value) }"
    report(
      entry, as: "\(name): \(text)",
      fixIts: [
        Diagnostic.FixIt("write '\(text)'", replacing: owner.value.range, with: text),
        Diagnostic.FixIt("remove '\(entry.name)'", replacing: Self.wholeRange(of: entry), with: ""),
      ])
  }

  /// The text of a single value that fits on a line; nil for other values.
  private static func text(of node: YAMLNode) -> String? {
    guard case .scalar(let scalar) = node.content, !scalar.isNull, !scalar.text.contains("\n") else { return nil }
    return scalar.text
  }

  private static func range(of entry: YAMLMapping.Entry) -> SourceRange {
    SourceRange(
      file: entry.key.range.file,
      offsets: entry.key.range.offsets
        .lowerBound..<max(
          entry.key.range.offsets.upperBound, entry.value.range.offsets.upperBound))
  }

  private static func source(of range: SourceRange) -> String {
    String(decoding: range.file.bytes[range.offsets], as: UTF8.self)
  }

  /// An entry with what separates it from the others: its line, or the comma before it or after it.
  private static func wholeRange(of entry: YAMLMapping.Entry) -> SourceRange {
    let own = range(of: entry)
    let bytes = own.file.bytes
    func skip(_ index: Int, by step: Int, while isSkipped: (UInt8) -> Bool) -> Int {
      var index = index
      while bytes.indices.contains(index), isSkipped(bytes[index]) { index += step }
      return index
    }
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let before = skip(own.offsets.lowerBound - 1, by: -1, while: isSpace)
    let after = skip(own.offsets.upperBound, by: 1, while: isSpace)
    func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }
    let offsets: Range<Int> =
      if byte(after) == UInt8(ascii: ",") {
        own.offsets.lowerBound..<skip(after + 1, by: 1, while: isSpace)
      } else if byte(before) == UInt8(ascii: ",") {
        before..<own.offsets.upperBound
      } else {
        // A comment behind the value goes with its line.
        before + 1..<min(skip(after, by: 1) { $0 != UInt8(ascii: "\n") } + 1, bytes.count)
      }
    return SourceRange(file: own.file, offsets: offsets)
  }
}
