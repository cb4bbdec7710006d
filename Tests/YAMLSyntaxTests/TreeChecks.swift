import SourceDiagnostics
import Testing
import YAMLSyntax

/// What holds for every tree that was read from a file.
enum TreeChecks {
  /// Every range lies in the file and between scalars, and its text is what the node says.
  static func checkRanges(of node: YAMLNode, in file: SourceFile) throws {
    let offsets = node.range.offsets
    try #require(offsets.upperBound <= file.bytes.count)
    for edge in [offsets.lowerBound, offsets.upperBound] where edge < file.bytes.count {
      #expect(file.bytes[edge] & 0xC0 != 0x80)
    }
    let source = String(decoding: file.bytes[offsets], as: UTF8.self)
    // An alias shows another node's content.
    if source.hasPrefix("*") { return }
    switch node.content {
    case .scalar(let scalar): check(scalar, source)
    case .sequence(let items):
      #expect(source.hasPrefix("[") || source.hasPrefix("-"), "\(source)")
      for item in items { try checkChild(item, offsets, file) }
    case .mapping(let mapping):
      for entry in mapping.entries {
        try checkChild(entry.key, offsets, file)
        try checkChild(entry.value, offsets, file)
      }
    }
  }

  private static func checkChild(_ node: YAMLNode, _ outer: Range<Int>, _ file: SourceFile) throws {
    let inner = node.range.offsets
    // Merged entries stand where they were written.
    guard inner.lowerBound >= outer.lowerBound else { return }
    #expect(inner.upperBound <= outer.upperBound)
    try checkRanges(of: node, in: file)
  }

  private static func check(_ scalar: YAMLScalar, _ source: String) {
    switch scalar.style {
    case .plain: if !source.contains(where: \.isNewline) { #expect(source == scalar.text) }
    case .singleQuoted: #expect(source.hasPrefix("'") && source.hasSuffix("'") && source.utf8.count >= 2)
    case .doubleQuoted: #expect(source.hasPrefix("\"") && source.hasSuffix("\"") && source.utf8.count >= 2)
    case .literal: #expect(source.hasPrefix("|"))
    case .folded: #expect(source.hasPrefix(">"))
    }
  }
}
