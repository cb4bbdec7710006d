internal import SourceDiagnostics
internal import YAMLSyntax

/// How an entry with an earlier spelling is written now, with the replacements that correct the file.
struct PresentSpelling {
  /// The name of the key that now contains the value.
  let name: String
  /// Whether the value stays the same, so that it can be read under the present name.
  let keepsValue: Bool
  /// The present spelling, as messages show it.
  let text: String
  /// The replacements, which belong together; empty if a person must write the new entry.
  var fixIts: [Diagnostic.FixIt] = []
}

extension RenamedKey.Present {
  /// The present spelling of an entry.
  ///
  /// - Parameter entries: all entries of the mapping that contains the entry
  func spelling(of entry: YAMLMapping.Entry, among entries: [YAMLMapping.Entry]) -> PresentSpelling {
    switch self {
    case .name(let name):
      return PresentSpelling(
        name: name, keepsValue: true, text: name,
        fixIts: [Diagnostic.FixIt("write '\(name)'", replacing: entry.key.range, with: name)])
    case .value(let name, let pattern):
      return entry.written(name, entry.value.line.map { pattern.replacing("…", with: $0) } ?? pattern)
    case .words(let name, let words):
      return entry.written(name, entry.value.line.flatMap { words[$0] } ?? "…")
    case .member(let member, let owner, let beside):
      let value = entry.value.range.text
      guard let owning = entries.first(where: { $0.name == owner }) else {
        return entry.written(owner, entry.value.line == nil ? "…" : "{ \(member): \(value) }")
      }
      guard let beside, case .scalar = owning.value.content, entry.value.line != nil else {
        return PresentSpelling(name: owner, keepsValue: false, text: "\(owner): { \(member): … }")
      }
      let text = "{ \(beside): \(owning.value.range.text), \(member): \(value) }"
      return PresentSpelling(
        name: owner, keepsValue: false, text: "\(owner): \(text)",
        fixIts: [
          Diagnostic.FixIt("write '\(text)'", replacing: owning.value.range, with: text),
          Diagnostic.FixIt("remove '\(entry.name)'", replacing: entry.wholeRange, with: ""),
        ])
    }
  }
}

extension YAMLMapping.Entry {
  /// The spelling `name: value` that replaces the entry. It has no fix-it if the value contains `…`, which a person
  /// must replace.
  fileprivate func written(_ name: String, _ value: String) -> PresentSpelling {
    let text = "\(name): \(value)"
    return PresentSpelling(
      name: name, keepsValue: false, text: text,
      fixIts: value.contains("…") ? [] : [Diagnostic.FixIt("write '\(text)'", replacing: range, with: text)])
  }

  private var range: SourceRange {
    let (key, value) = (key.range.offsets, value.range.offsets)
    return SourceRange(file: self.key.range.file, offsets: key.lowerBound..<max(key.upperBound, value.upperBound))
  }

  /// The source location of the entry and its separator: the rest of its line, or the comma before or after it.
  fileprivate var wholeRange: SourceRange {
    let own = range
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
        // A comment after the value goes with its line.
        before + 1..<min(skip(after, by: 1) { $0 != UInt8(ascii: "\n") } + 1, bytes.count)
      }
    return SourceRange(file: own.file, offsets: offsets)
  }
}

extension YAMLNode {
  /// The text of a scalar without line breaks; nil for null and for other values.
  fileprivate var line: String? {
    guard case .scalar(let scalar) = content, !scalar.isNull, !scalar.text.contains("\n") else { return nil }
    return scalar.text
  }
}

extension SourceRange {
  /// The text of the file in the range.
  fileprivate var text: String { String(decoding: file.bytes[offsets], as: UTF8.self) }
}
