import SourceDiagnostics
import YAMLSyntax

/// A text that shows the problem of a catalogue entry: the entry's own, or one that a page cannot show.
struct Example {
  let bytes: [UInt8]
  var limits = YAMLLimits()

  init(_ entry: DiagnosticCatalogue.Entry) {
    switch entry.code.rawValue {
    case "yaml.too-large":
      limits.bytes = 8
      bytes = Array("reactor: 1\n".utf8)
    case "yaml.wrong-encoding": bytes = [0xFF, 0xFE, 0x61, 0, 0x3A, 0, 0x20, 0, 0x31, 0]
    case "yaml.invalid-utf8": bytes = Array("title: caf".utf8) + [0xE9, 0x0A]
    case "yaml.null-byte": bytes = Array("title: a\0b\n".utf8)
    case "yaml.too-deep":
      limits.depth = 3
      bytes = Array("a: [[[1]]]\n".utf8)
    case "yaml.too-many-nodes":
      limits.nodes = 5
      bytes = Array("a: 1\nb: 2\nc: 3\n".utf8)
    case "yaml.too-many-aliases":
      limits.aliases = 2
      bytes = Array("a: &a 1\nb: [*a, *a, *a]\n".utf8)
    case "yaml.alias-expansion":
      limits.aliasedNodes = 20
      bytes = Array("a: &a [1, 2, 3]\nb: &b [*a, *a]\nc: [*b, *b]\n".utf8)
    case "yaml.too-many-problems": bytes = Array((String(repeating: "a: 1\n", count: 102)).utf8)
    default: bytes = Array(((entry.wrong ?? "") + "\n").utf8)
    }
  }

  /// What reading it reports.
  var diagnostics: [Diagnostic] {
    var bag = DiagnosticBag()
    _ = YAMLDocument.parse(SourceFile(path: "flows/shop.yaml", bytes: bytes), limits: limits, diagnostics: &bag)
    return bag.diagnostics
  }
}
